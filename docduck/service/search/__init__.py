"""The index behind lists and searches of documents, and how a search is carried out on it.

index.py     what writes it, in the transaction of the change itself
upkeep.py    what brings it up to date after an upgrade or a change of fields
finding.py   a page of what a query selects, with the exact total
"""
