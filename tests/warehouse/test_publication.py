from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
from pathlib import Path

import pytest

from docduck import clock
from docduck.errors import InputError, Transient
from docduck.warehouse import database, publication
from docduck.warehouse.warehouse import WarehouseOptions
from docduck.warehouse.warehouse_file import WarehouseFile
from tests.warehouse.samples import INVOICES, contents, invoice


@pytest.fixture
def warehouse(tmp_path: Path) -> WarehouseFile:
    made = WarehouseFile(tmp_path)
    made.apply(INVOICES, [invoice(1)])
    return made


def test_the_copy_is_the_whole_file(warehouse: WarehouseFile) -> None:
    done = warehouse.publish()
    assert done is not None
    assert done.path == warehouse.published
    assert done.size == warehouse.path.stat().st_size
    assert contents(warehouse.published) == contents(warehouse.path)


def test_nothing_is_published_before_anything_was_written(tmp_path: Path) -> None:
    warehouse = WarehouseFile(tmp_path)
    assert warehouse.publish(force=True) is None
    assert warehouse._publication.due_in() is None
    assert warehouse.counts() == {}


def test_only_changes_are_published(warehouse: WarehouseFile) -> None:
    assert warehouse.publish() is not None
    before = warehouse.published.stat().st_ino
    assert warehouse._publication.due_in() is None
    assert warehouse.publish(force=True) is None
    assert warehouse.published.stat().st_ino == before
    warehouse.published.unlink()
    assert warehouse.publish() is not None


def test_copies_keep_their_distance(warehouse: WarehouseFile, monkeypatch: pytest.MonkeyPatch) -> None:
    began = clock.now()
    assert warehouse.publish() is not None
    warehouse.apply(INVOICES, [invoice(2)])
    assert warehouse.publish() is None
    due = warehouse._publication.due_in()
    assert due is not None and 4 < due <= 5
    monkeypatch.setattr(clock, "now", lambda: began + dt.timedelta(seconds=60))
    assert warehouse._publication.due_in() == 0
    assert warehouse.publish() is not None
    assert warehouse.counts()["invoices"]["documents"] == 2
    warehouse.apply(INVOICES, [invoice(3)])
    monkeypatch.setattr(clock, "now", lambda: began - dt.timedelta(days=1))
    assert warehouse.publish() is not None, "a clock set back must not stop publishing"


def test_a_slow_copy_is_made_less_often(warehouse: WarehouseFile) -> None:
    warehouse.publish()
    state = warehouse.published.with_suffix(".json")
    state.write_text(state.read_text().partition('"seconds"')[0] + '"seconds": 30}')
    warehouse.apply(INVOICES, [invoice(2)])
    due = warehouse._publication.due_in()
    assert due is not None and 290 < due <= 300
    assert warehouse.publish() is None
    assert warehouse.publish(force=True) is not None


def test_at_rest_only_the_copy_factor_holds_a_copy_back(tmp_path: Path) -> None:
    with_pause = WarehouseFile(tmp_path, WarehouseOptions(publish_pause=100, publish_copy_factor=0))
    with_pause.apply(INVOICES, [invoice(1)])
    with_pause.publish()
    with_pause.apply(INVOICES, [invoice(2)])
    assert with_pause.publish() is None
    assert with_pause.publish(at_rest=True) is not None
    with_factor = WarehouseFile(tmp_path, WarehouseOptions(publish_pause=0, publish_copy_factor=1e9))
    with_factor.apply(INVOICES, [invoice(3)])
    assert with_factor.publish(at_rest=True) is None


def test_an_unreadable_note_of_the_last_copy_means_publishing(warehouse: WarehouseFile) -> None:
    warehouse.publish()
    warehouse.published.with_suffix(".json").write_text('{"source": [1')
    assert warehouse.publish() is not None


def test_what_a_killed_publisher_left_is_removed(warehouse: WarehouseFile) -> None:
    left = warehouse.published.with_name("analytics.duckdb.new")
    left.write_bytes(b"half a copy")
    assert warehouse.publish() is not None
    assert not left.exists()
    assert warehouse.counts()["invoices"]["documents"] == 1


def test_a_log_left_by_a_killed_writer_is_published_too(warehouse: WarehouseFile) -> None:
    script = (
        "import duckdb, os, sys; connection = duckdb.connect(sys.argv[1]);"
        "connection.execute(\"INSERT INTO invoices.documents (document_id) VALUES ('late')\"); os._exit(9)"
    )
    killed = subprocess.run([sys.executable, "-c", script, str(warehouse.path)], check=False)
    assert killed.returncode == 9
    assert warehouse.path.with_name("warehouse.duckdb.wal").exists()
    warehouse.publish()
    assert warehouse.counts()["invoices"]["documents"] == 2


def test_an_analyst_who_writes_into_the_copy_harms_nobody(warehouse: WarehouseFile) -> None:
    warehouse.publish()
    script = (
        "import duckdb, sys; shell = duckdb.connect(sys.argv[1]);"
        "shell.execute('CREATE TABLE mine AS SELECT 1 AS a'); print('ready', flush=True);"
        "input(); shell.execute('INSERT INTO mine VALUES (2)'); print('written', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(warehouse.published)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as shell:
        assert shell.stdin is not None and shell.stdout is not None
        assert shell.stdout.readline() == "ready\n"
        warehouse.apply(INVOICES, [invoice(2)])
        warehouse.publish(force=True)
        shell.stdin.write("\n")
        shell.stdin.flush()
        assert shell.stdout.readline() == "written\n"
        assert warehouse.counts() == {"invoices": {"documents": 2, "line_items": 4, "_evidence": 6}}
        shell.communicate("\n")
    assert shell.returncode == 0
    assert warehouse.counts()["invoices"]["documents"] == 2


def test_an_analyst_who_holds_the_copy_for_writing_is_named(
    warehouse: WarehouseFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse.publish()
    monkeypatch.setattr(database, "_READER_WAITS", 0.1)
    script = "import duckdb, sys; shell = duckdb.connect(sys.argv[1]); print('ready', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(warehouse.published)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as shell:
        assert shell.stdout is not None
        assert shell.stdout.readline() == "ready\n"
        with pytest.raises(Transient, match="open it there with -readonly"):
            warehouse.query("SELECT 1")
        warehouse.apply(INVOICES, [invoice(2)])
        warehouse.publish(force=True)
        assert len(warehouse.query("FROM invoices.documents").rows) == 2
        shell.communicate("\n")


def test_a_full_disk_leaves_the_earlier_copy(
    warehouse: WarehouseFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse.publish()
    warehouse.apply(INVOICES, [invoice(2)])

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(Transient, match="No space left on device"):
        patch.setattr(os, "fsync", full)
        warehouse.publish(force=True)
    assert warehouse.counts()["invoices"]["documents"] == 1
    assert not [*warehouse.published.parent.glob("*.new")]
    warehouse.publish(force=True)
    assert warehouse.counts()["invoices"]["documents"] == 2


def test_file_systems_without_shared_blocks_get_a_plain_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(os.urandom(3 * 2**20 + 17))
    target.write_bytes(b"x" * 2**23)

    def refuse(*_: object) -> int:
        raise OSError(95, "Operation not supported")

    publication.copy(source, target)
    assert target.read_bytes() == source.read_bytes()
    monkeypatch.setattr(os, "copy_file_range", refuse)
    target.write_bytes(b"x" * 2**23)
    publication.copy(source, target)
    assert target.read_bytes() == source.read_bytes()


def test_a_query_answers_with_names_types_and_rows(warehouse: WarehouseFile) -> None:
    warehouse.apply(INVOICES, [invoice(2)])
    warehouse.publish()
    answer = warehouse.query(
        "SELECT document_id AS id, total FROM invoices.documents WHERE page_count = ? ORDER BY id",
        [1],
        limit=1,
    )
    assert answer.columns == ("id", "total")
    assert answer.types == ("VARCHAR", "DECIMAL(38,2)")
    assert [row[0] for row in answer.rows] == ["doc-1"]
    assert answer.more
    assert not warehouse.query("FROM invoices.documents").more


@pytest.mark.parametrize(
    "sql",
    [
        "FROM read_text('{path}')",
        "FROM read_csv('{path}')",
        "FROM glob('/*')",
        "COPY invoices.documents TO '{path}'",
        "EXPORT DATABASE '{path}.d'",
        "ATTACH '{path}'",
        "SET enable_external_access = true",
        "RESET lock_configuration",
        "LOAD httpfs",
        "DELETE FROM invoices.documents",
    ],
)
def test_a_query_reaches_no_files_and_changes_nothing(
    warehouse: WarehouseFile, tmp_path: Path, sql: str
) -> None:
    warehouse.apply(INVOICES, [invoice(1)])
    warehouse.publish()
    path = tmp_path / "secret.txt"
    path.write_text("secret")
    with pytest.raises(InputError):
        warehouse.query(sql.format(path=path))
    assert path.read_text() == "secret"
    assert not path.with_name("secret.txt.d").exists()


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELEC 1", "syntax error"),
        ("FROM invoices.nothing", "does not exist"),
        ("DELETE FROM invoices.documents", "read-only"),
        ("SELECT CAST('x' AS INTEGER)", "Could not convert"),
    ],
)
def test_a_wrong_query_is_told_in_duckdbs_words(warehouse: WarehouseFile, sql: str, message: str) -> None:
    warehouse.publish()
    with pytest.raises(InputError, match=message):
        warehouse.query(sql)


def test_a_query_before_anything_is_published_says_so(warehouse: WarehouseFile) -> None:
    with pytest.raises(InputError, match=r"There is no .*analytics\.duckdb yet"):
        warehouse.query("SELECT 1")
