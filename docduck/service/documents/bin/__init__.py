"""The bin: documents that were deleted on the pages, kept for some days (``DOCDUCK_BIN_DAYS``).

Such a document is gone from the catalog, the search and the warehouse like any deleted one, so that nothing
else knows of the bin. A row of ``binned_documents`` has all of its rows, and holds the references to its
files.
"""
