"""Attaching a lake, and its published catalogs, to a DuckDB connection."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import duckdb
from sqlalchemy.engine import URL, make_url

from docduck.errors import Conflict, InputError, Transient
from docduck.outbound.object_store import Bucket, ObjectGone
from docduck.warehouse.lake.files import LakeFiles
from docduck.warehouse.names import literal

METADATA_SCHEMA = "docduck_lake"
"""The schema in the catalog's PostgreSQL database that has DuckLake's metadata."""

_MOST_CHOSEN = 5000


def attach_lake(connection: duckdb.DuckDBPyConnection, address: str, files: LakeFiles, name: str) -> None:
    """Attach the lake whose metadata are at this SQLAlchemy address, for writing; create it if missing.

    Rows are never kept in the metadata, and DuckLake never tries a refused commit again: the fence against a
    second writer.
    """
    load_extension(connection, "ducklake")
    load_extension(connection, "postgres_scanner")
    connection.register_filesystem(files)
    url = make_url(address)
    if url.password:
        # Not in the address, which messages of DuckLake have.
        connection.execute(f"CREATE SECRET (TYPE postgres, PASSWORD {literal(str(url.password))})")
    server = literal(f"ducklake:postgres:{_address_of_libpq(url)}")
    connection.execute("SET ducklake_max_retry_count = 0")
    # Files whose rows can't be among so many chosen documents are not opened.
    connection.execute(f"SET dynamic_or_filter_threshold = {_MOST_CHOSEN}")
    connection.execute(
        f"ATTACH {server} AS {name} (DATA_PATH {literal(files.data_path)},"
        f" METADATA_SCHEMA {literal(METADATA_SCHEMA)}, DATA_INLINING_ROW_LIMIT 0)"
    )
    connection.execute(f"USE {name}")


def _address_of_libpq(url: URL) -> str:
    """Return the address as libpq takes it, without the password."""
    parts = {**url.translate_connect_args(username="user", database="dbname"), **url.query}
    parts.pop("password", None)
    escaped = {name: str(part).replace("\\", "\\\\").replace("'", "\\'") for name, part in parts.items()}
    return " ".join(f"{name}='{part}'" for name, part in escaped.items())


def attach_catalog(connection: duckdb.DuckDBPyConnection, path: Path, files: LakeFiles, name: str) -> None:
    """Attach a published catalog read-only; nothing else can be opened from then on."""
    load_extension(connection, "ducklake")
    connection.register_filesystem(files)
    connection.execute(
        f"ATTACH {literal(f'ducklake:{path}')} AS {name}"
        f" (READ_ONLY, DATA_PATH {literal(files.data_path)}, OVERRIDE_DATA_PATH true)"
    )
    connection.execute(f"USE {name}; SET allowed_directories = [{literal(files.data_path)}]")
    connection.execute("SET enable_external_access = false")


@contextmanager
def catalog_attached(connection: duckdb.DuckDBPyConnection, path: Path, bucket: Bucket) -> Iterator[None]:
    """Attach a published catalog as ``analytics``; raise Transient or Conflict if the bucket fails."""
    files = LakeFiles(bucket.url, bucket)
    attach_catalog(connection, path, files, "analytics")
    connection.execute("SET lock_configuration = true")
    try:
        yield
    except Exception as error:
        if files.failure is not None:
            raise lake_error(bucket.url, files.failure) from error
        raise


def lake_error(url: str, error: Exception) -> Conflict | Transient:
    """Return what to tell of a failure of the bucket."""
    if isinstance(error, ObjectGone):
        return Conflict(
            f"A file of the tables is gone from {url}: `docduck warehouse rebuild` makes all of them anew"
        )
    return Transient(f"The tables in {url} (DOCDUCK_LAKE_URL) can't be used at the moment: {error}")


def load_extension(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Load an extension from its package; DuckDB checks its signature.

    Raise InputError for one of another version.
    """
    package = Path(str(import_module(f"duckdb_extension_{name}").__file__)).parent
    files = list(package.glob(f"extensions/v{duckdb.__version__}/*.duckdb_extension"))
    if not files:
        raise InputError(
            f"DuckDB is {duckdb.__version__}, and its extension {name} another: pip install 'docduck[lake]'",
            "DOCDUCK_LAKE_URL",
        )
    connection.execute(f"LOAD {literal(str(files[0]))}")
