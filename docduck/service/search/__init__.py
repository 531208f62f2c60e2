"""The index behind lists and searches of documents.

``index`` writes it in the transaction of each change, ``maintenance`` after upgrades and changes of fields;
``selection`` translates queries.
"""
