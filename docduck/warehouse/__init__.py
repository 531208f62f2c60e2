"""The catalog projected into DuckDB, one schema per parser."""
