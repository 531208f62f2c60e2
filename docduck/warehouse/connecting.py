"""Connections of analysts to the published tables."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb

from docduck.settings import read_settings
from docduck.warehouse.database import attach, check_published
from docduck.warehouse.opening import lake_of, published_path

_READER_WAITS = 10.0
"""Seconds to wait while another program holds the file for writing."""


def connect(home: str | os.PathLike[str] | None = None) -> duckdb.DuckDBPyConnection:
    """Return a DuckDB connection to the tables as they are published now.

        with docduck.connect("data") as connection:
            connection.sql("SELECT vendor_name, sum(total) FROM invoices.documents GROUP BY ALL").show()

    ``home`` is docduck's home folder, ``DOCDUCK_HOME`` if not given. The tables are read-only, in the
    database ``analytics``; a connection goes on to see those that were published when it was made, and a
    new one sees the newest, whatever else this process has open. With ``DOCDUCK_LAKE_URL``, it reads the
    lake, and can open no other files.

    Raise InputError if nothing is published yet, and Transient while another program holds the file for
    writing.
    """
    options = read_settings()
    path = published_path(Path(options.home if home is None else home), options)
    check_published(path)
    # All connections of a process to one file share an instance of DuckDB, which keeps a replaced file open.
    connection = duckdb.connect(":memory:")
    try:
        if (lake := lake_of(options)) is None:
            attach(connection, path, "analytics", read_only=True, seconds=_READER_WAITS)
        else:
            from docduck.warehouse.lake.attaching import attach_catalog
            from docduck.warehouse.lake.files import LakeFiles

            attach_catalog(connection, path, LakeFiles(lake.url, lake), "analytics")
    except BaseException:
        connection.close()
        raise
    return connection
