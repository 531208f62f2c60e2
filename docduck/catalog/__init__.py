"""The catalog: every resource in one database, SQLite or PostgreSQL.

``database`` has transactions and read sessions, ``models`` the tables; ``creation`` makes new catalogs, and
``migrate`` upgrades others.
"""
