"""The warehouse: documents as DuckDB tables, one schema per parser.

Begin with ``warehouse``; ``layout`` has the columns, ``publication`` the analysts' copy, ``lake`` the same in
a bucket.
"""
