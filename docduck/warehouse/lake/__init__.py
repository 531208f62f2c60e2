"""The warehouse past one machine: a DuckLake, whose tables are Parquet files in a bucket (``lake``)."""
