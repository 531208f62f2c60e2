"""The truth: every resource in one database, SQLite or PostgreSQL."""
