"""What a lake has beyond a DuckDB file: one writer anywhere, catalogs of teams, upkeep of its files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlalchemy import create_engine, text

from docduck.errors import Conflict, DocduckError, InputError, Transient
from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.outbound.object_store import Bucket, StoreUnavailable
from docduck.service.core.installation import open_installation
from docduck.settings import Settings
from docduck.warehouse.lake.attaching import load_extension
from docduck.warehouse.lake.files import TABLES
from docduck.warehouse.lake.lake import Lake
from docduck.warehouse.lake.piped import PipedObjects, serving
from docduck.warehouse.lake.published import file_names
from docduck.warehouse.published_copy import PublishedCopy
from docduck.warehouse.warehouse import WarehouseOptions
from tests.azure_store import KEYS as AZURE_KEYS
from tests.azure_store import azure_store
from tests.object_store import KEYS
from tests.warehouse.conftest import MakeLake
from tests.warehouse.samples import INVOICES, invoice

pytestmark = pytest.mark.postgres

SECRETS = replace(INVOICES, schema="globex_secrets")
TEAMS = {"acme": ["invoices"], "globex": ["globex_secrets"]}


def _copy(descriptor: int) -> int:
    """A child has copies of the pipes' ends."""
    return os.dup(descriptor)


def documents(lake: Lake) -> int:
    return lake.counts(published=False).get("invoices", {}).get("documents", 0)


def tell_postgresql(lake: Lake, sql: str) -> None:
    engine = create_engine(lake._address, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(sql))
    engine.dispose()


@contextmanager
def analyst(server: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """A DuckDB shell with keys of the bucket, and nothing of docduck."""
    with duckdb.connect(":memory:") as shell:
        for name in ("ducklake", "httpfs"):
            load_extension(shell, name)
        shell.execute(
            f"CREATE SECRET (TYPE s3, KEY_ID '{KEYS['access_key']}', SECRET '{KEYS['secret_key']}',"
            f" ENDPOINT '{server.removeprefix('http://')}', USE_SSL false, URL_STYLE 'path',"
            " REGION 'us-east-1')"
        )
        yield shell


def test_an_analyst_and_a_query_read_the_catalog_of_their_team_alone(
    tmp_path: Path, open_lake: MakeLake, bucket_server: str
) -> None:
    lake = open_lake(tmp_path, TEAMS)
    lake.apply(INVOICES, [invoice(1), invoice(2, rows=3)])
    lake.apply(SECRETS, [invoice(9)])
    lake.apply(INVOICES, [invoice(3)], ["doc-1"])
    assert lake.publish() is not None
    assert lake.bucket.url.startswith("s3://")
    with analyst(bucket_server) as shell:
        shell.execute(
            f"ATTACH 'ducklake:{lake.bucket.url}/teams/acme/analytics.ducklake' AS tables (READ_ONLY)"
        )
        rows = shell.execute("SELECT name, total FROM tables.invoices.documents ORDER BY 1").fetchall()
        assert [(name, str(total)) for name, total in rows] == [
            ("invoice 2.pdf", "102.10"),
            ("invoice 3.pdf", "103.10"),
        ]
        assert shell.execute("SELECT count(*) FROM tables.invoices.line_items").fetchall() == [(5,)]
        assert "globex" not in str(shell.execute("SHOW ALL TABLES").fetchall())
    for team, other in (("acme", "globex"), ("globex", "invoices/")):
        assert other.encode() not in lake.catalog_of(team).read_bytes()
        names = file_names(lake.catalog_of(team))
        assert names and all(f"{TABLES}{TEAMS[team][0]}/" in name for name in names)
    assert {"invoices", "globex_secrets"} == {*lake.counts()}
    _assert_served_alone(lake)


def _assert_served_alone(lake: Lake) -> None:
    """Queries of a team are served the files of its catalog, and can change none."""
    mine, theirs = (sorted(file_names(lake.catalog_of(team)))[0] for team in ("acme", "globex"))
    with serving(lake.bucket, file_names(lake.catalog_of("acme"))) as (requests, replies):
        child = PipedObjects(_copy(requests), _copy(replies))
        assert child.read(mine, 0, 4) == b"PAR1"
        assert child.size(mine) == lake.bucket.size(mine)
        for name in (theirs, "teams/globex/analytics.ducklake", f"{TABLES}../{theirs}", ""):
            with pytest.raises(StoreUnavailable):
                child.read(name, 0, 4)
        with pytest.raises(StoreUnavailable):
            child.write(mine, BytesIO())
        with pytest.raises(StoreUnavailable):
            child.delete(mine)
        child.close()
    assert lake.bucket.size(theirs)


def test_only_catalogs_of_teams_with_changes_are_written(tmp_path: Path, open_lake: MakeLake) -> None:
    teams = {**TEAMS}
    lake = open_lake(tmp_path, teams)
    lake.apply(SECRETS, [invoice(9)])
    lake.apply(INVOICES, [invoice(1)])
    lake.publish()

    def published() -> dict[str, int]:
        return {team: lake.catalog_of(team).stat().st_mtime_ns for team in teams}

    before = published()
    lake.apply(INVOICES, [], ["doc-1"])
    lake.publish(force=True)
    after = published()
    assert after["acme"] != before["acme"] and after["globex"] == before["globex"]
    assert lake.publish(force=True) is None

    teams["renamed"] = teams.pop("globex")
    lake.apply(INVOICES, [invoice(2)])
    lake.publish(force=True)
    assert sorted(lake.bucket.names("teams/")) == [
        "teams/acme/analytics.ducklake",
        "teams/renamed/analytics.ducklake",
    ]
    assert not lake.catalog_of("globex").exists()


def test_one_writer_at_a_time_on_all_machines_also_after_an_interrupted_one(
    tmp_path: Path, open_lake: MakeLake
) -> None:
    here, there = open_lake(tmp_path / "here"), open_lake(tmp_path / "there")
    here.apply(INVOICES, [invoice(1)])

    def batches() -> Iterator[list[Any]]:
        yield [invoice(2)]
        with pytest.raises(Transient, match="locked by a writer on another machine"):
            there.apply(INVOICES, [invoice(3)])

    here.replace(INVOICES, batches())
    with pytest.raises(KeyboardInterrupt), here._transaction():
        raise KeyboardInterrupt
    there.apply(INVOICES, [invoice(3)])
    assert documents(here) == documents(there) == 2


def test_of_two_commits_from_one_state_the_second_is_refused(
    tmp_path: Path, open_lake: MakeLake, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = open_lake(tmp_path / "here"), open_lake(tmp_path / "there")
    here.apply(INVOICES, [invoice(1)])
    # As if a writer had lost the lock without knowing.
    monkeypatch.setattr(Lake, "_fence", lambda *_: None)

    def batches() -> Iterator[list[Any]]:
        yield [invoice(2), invoice(3)]
        there.apply(INVOICES, [invoice(4)])

    with pytest.raises(Transient, match="could not be written"):
        here.replace(INVOICES, batches())
    assert documents(here) == 2
    assert here.apply(INVOICES, [invoice(2)]).documents == 1


def test_a_lost_connection_loses_the_transaction_and_the_lock(tmp_path: Path, open_lake: MakeLake) -> None:
    here, there = open_lake(tmp_path / "here"), open_lake(tmp_path / "there")
    here.apply(INVOICES, [invoice(1)])

    def batches() -> Iterator[list[Any]]:
        yield [invoice(2), invoice(3)]
        tell_postgresql(
            here,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )

    with pytest.raises(DocduckError) as caught:
        here.replace(INVOICES, batches())
    assert caught.value.retryable
    there.apply(INVOICES, [invoice(4)])
    here.apply(INVOICES, [invoice(5)])
    assert documents(here) == documents(there) == 3


def test_upkeep_merges_files_and_keeps_those_of_an_older_catalog(
    tmp_path: Path, open_lake: MakeLake, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = open_lake(tmp_path)
    for number in range(6):
        lake.apply(INVOICES, [invoice(number)])
    lake.apply(INVOICES, [invoice(0, rows=1)], ["doc-1"])
    lake.publish()
    before = list(lake.bucket.names(TABLES))
    old = PublishedCopy(lake.published, lake.lake)
    old.hold()
    done = lake.maintain()
    assert done["merged"] > 0
    assert done["deleted"] == 0
    lake.publish(force=True)
    assert len(file_names(lake.catalog_of("default"))) <= 4
    with old.reading() as connection:
        assert connection.execute("SELECT count(*) FROM invoices.documents").fetchall() == [(5,)]
    old.release()

    monkeypatch.setattr(lake, "_keep_hours", 0)
    killed = f"{TABLES}invoices/documents/ducklake-of-a-killed-writer.parquet"
    lake.bucket.write(killed, BytesIO(b"never committed"))
    assert lake.maintain()["orphaned"] == 1
    lake.publish(force=True)
    left = {name for name in lake.bucket.names(TABLES) if "/_docduck/" not in name}
    assert left == file_names(lake.catalog_of("default"))
    assert len(left) < len(before)
    assert lake.query("SELECT count(*) FROM invoices.line_items").rows == [(9,)]


def test_a_lake_may_be_in_a_container_of_azure(tmp_path: Path, open_lake: MakeLake) -> None:
    with azure_store() as azure:
        container = azure.new_container()
        bucket = Bucket(BucketEndpoint(f"{container}/lake", azure.address, **AZURE_KEYS))
        lake = open_lake(tmp_path, bucket=bucket, keep_hours=0)
        for number in range(3):
            lake.apply(INVOICES, [invoice(number)], [f"doc-{number - 1}"])
        assert lake.maintain()["deleted"] > 0
        lake.publish()
        assert lake.query("SELECT name FROM invoices.documents").rows == [("invoice 2.pdf",)]
        assert "lake/teams/default/analytics.ducklake" in azure.names(container)


def test_a_bucket_that_is_away_is_told_and_loses_nothing(
    tmp_path: Path, open_lake: MakeLake, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = open_lake(tmp_path)
    lake.apply(INVOICES, [invoice(1)])
    lake.publish()
    lake.apply(INVOICES, [invoice(3)])

    def away(*_: object) -> Any:
        raise StoreUnavailable("access is denied", retryable=False)

    with monkeypatch.context() as patched:
        for method in ("read", "write", "size"):
            patched.setattr(Bucket, method, away)
        for act in (
            lambda: lake.apply(INVOICES, [invoice(2)]),
            lambda: lake.query("FROM invoices.documents"),
            lambda: lake.frame("FROM invoices.documents"),
            lambda: lake.publish(force=True),
        ):
            with pytest.raises(Transient, match=r"\(DOCDUCK_LAKE_URL\) can't be used .*: access is denied"):
                act()
    lake.apply(INVOICES, [invoice(2)])
    assert lake.publish(force=True) is not None
    assert lake.counts()["invoices"]["documents"] == 3


def test_a_file_that_is_gone_is_told_and_made_anew(tmp_path: Path, open_lake: MakeLake) -> None:
    lake = open_lake(tmp_path)
    lake.apply(INVOICES, [invoice(1)])
    lake.publish()
    for name in list(lake.bucket.names(TABLES)):
        if "/documents/" in name:
            lake.bucket.delete(name)
    with pytest.raises(Conflict, match=r"gone from s3://.* `docduck warehouse rebuild` makes all"):
        lake.query("FROM invoices.documents")
    lake.rebuild([(INVOICES, [[invoice(1)]])])
    lake.publish(force=True)
    assert len(lake.query("FROM invoices.documents").rows) == 1


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        ("UPDATE docduck_lake.ducklake_metadata SET value = '99.0' WHERE key = 'version'", "version"),
        ("DROP TABLE docduck_lake.ducklake_snapshot", "can't be opened"),
    ],
)
def test_a_lake_that_can_not_be_used_is_told(
    tmp_path: Path, open_lake: MakeLake, spoil: str, message: str
) -> None:
    lake = open_lake(tmp_path / "one")
    lake.apply(INVOICES, [invoice(1)])
    tell_postgresql(lake, spoil)
    with pytest.raises(DocduckError, match=message):
        open_lake(tmp_path / "two").apply(INVOICES, [invoice(2)])


def test_a_lake_stays_in_its_bucket(tmp_path: Path, open_lake: MakeLake) -> None:
    open_lake(tmp_path).apply(INVOICES, [invoice(1)])
    other = open_lake(tmp_path / "other", bucket=Bucket(BucketEndpoint("s3://elsewhere/lake")))
    with pytest.raises(Conflict, match="in another bucket than DOCDUCK_LAKE_URL"):
        other.apply(INVOICES, [invoice(1)])


def test_the_password_of_postgresql_is_in_no_message(tmp_path: Path, bucket_server: str) -> None:
    bucket = Bucket(BucketEndpoint("s3://bucket/lake", bucket_server, **KEYS))
    address = "postgresql+psycopg2://duck:hu%40sh'pass@127.0.0.1:1/lake?connect_timeout=1"
    lake = Lake(tmp_path, address, bucket, dict, 1, WarehouseOptions())
    with pytest.raises(Transient, match="can't be opened") as caught:
        lake.apply(INVOICES)
    assert "pass" not in str(caught.value) and "hu" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "set DOCDUCK_CATALOG_URL, too"),
        ({"catalog_url": "postgresql+psycopg2:///docduck"}, r"pip install 'docduck\[lake\]'"),
    ],
)
def test_a_lake_that_can_not_be_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any], message: str
) -> None:
    monkeypatch.setattr("docduck.warehouse.opening.find_spec", lambda name: None)
    with pytest.raises(InputError, match=message):
        open_installation(Settings(home=tmp_path, lake_url="s3://bucket/lake", **settings))


def test_extensions_of_another_version_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb, "__version__", "9.9.9")
    with (
        duckdb.connect() as connection,
        pytest.raises(InputError, match=r"DuckDB is 9\.9\.9, and"),
    ):
        load_extension(connection, "ducklake")


def test_files_without_a_written_document_are_not_opened(
    open_lake: MakeLake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = 30
    open_lake(tmp_path / "a").replace(INVOICES, ([invoice(number)] for number in range(100, 100 + files)))
    opened, size = [], Bucket.size

    def counted(bucket: Bucket, name: str) -> int:
        opened.append(name)
        return size(bucket, name)

    monkeypatch.setattr(Bucket, "size", counted)
    lake = open_lake(tmp_path / "b")
    lake.apply(INVOICES, [invoice(100), *(invoice(number) for number in range(130, 160))])
    assert documents(lake) == files + 30
    assert len(opened) < files / 2
