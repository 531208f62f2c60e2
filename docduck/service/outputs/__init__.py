"""What leaves the catalog.

``warehouse_sync`` writes the tables, ``exporting`` writes files of the documents that ``selection`` chooses,
``team_queries`` asks the tables, ``originals`` packs files.
"""
