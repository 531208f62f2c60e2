"""The index behind lists and searches of documents.

``index`` writes it in the transaction of each change, ``upkeep`` after upgrades and changes of fields;
``selection`` translates queries.
"""
