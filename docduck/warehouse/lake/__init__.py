"""The warehouse past one machine: a DuckLake, whose tables are Parquet files in a bucket.

Begin with ``lake``, which also merges small files and deletes old ones.
"""
