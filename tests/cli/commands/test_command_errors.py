"""Every mistake of a user ends in one clear line and the right exit code, never in a trace."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from sqlalchemy.exc import DatabaseError, DBAPIError, OperationalError

from docduck.cli import main
from docduck.cli.output import installation
from docduck.errors import Defect, DocduckError, Transient
from docduck.service.core.installation import Installation
from tests.cli.conftest import Docduck, Ran
from tests.permissions import permissions_hold

SETS = Callable[..., None]


def assert_told(said: Ran, *words: object, code: int = 2) -> None:
    assert said.code == code, said
    assert said.out == ""
    assert said.err.startswith("Error: ")
    assert said.err.count("\n") == 1
    for word in words:
        assert str(word) in said.err


def _lost(message: str) -> DBAPIError:
    # As SQLAlchemy raises it when PostgreSQL ends during a rollback, without a code and of the general class.
    return DatabaseError("ROLLBACK", None, Exception(message), connection_invalidated=True)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (_lost("server closed the connection unexpectedly"), "The catalog is away for the moment"),
        (OperationalError("SELECT", None, sqlite3.OperationalError("no such table: x")), None),
    ],
)
def test_a_catalog_that_is_lost_during_a_command_is_no_defect(
    inst: Installation, error: DBAPIError, message: str | None
) -> None:
    with pytest.raises(Transient if message else OperationalError, match=message), installation():
        raise error


WRONG: Sequence[tuple[str, list[str]]] = (
    ("nonsense", ["No such command 'nonsense'", "docduck --help"]),
    ("extract", ["Missing argument 'FILE…'", "docduck extract --help"]),
    ("extract nofile.pdf --template invoice", ["There is no file nofile.pdf"]),
    ("extract . --template invoice", [". is a folder"]),
    ("extract x.pdf", ["either --fields FILE or --template KEY", "bank_statement"]),
    ("extract x.pdf --template nope", ["--template", "'nope'", "invoice"]),
    ("extract x.pdf --template invoice --mode wild", ["--mode", "'wild'", "'balanced'"]),
    ("extract x.pdf --fields nope.json", ["--fields nope.json", "No such file"]),
    ("extract x.pdf --fields .", ["--fields .", "Is a directory"]),
    ("extract x.pdf --nonsense", ["No such option: --nonsense"]),
    ("parsers add", ["--template KEY", "invoice"]),
    ("parsers add --template nope", ["'nope'", "receipt"]),
    ("parsers add --fields fields.json", ["docduck parsers add NAME --fields FILE"]),
    ("parsers show nope", ["Parser not found: nope", "docduck parsers list"]),
    ("documents list --parser nope", ["Parser not found: nope"]),
    ("documents list --status odd", ["--status", "'odd'", "'processed'"]),
    ("documents list --limit x", ["--limit", "integer"]),
    ("documents list --sort odd", ["--sort", "'odd'", "'name.asc'"]),
    ("documents show nope", ["Document not found: nope", "docduck documents list"]),
    ("documents show 01890000-0000-7000-8000-000000000000", ["Document not found"]),
    ("documents delete nope", ["Document not found: nope"]),
    ("documents reprocess", ["document ids or --parser"]),
    ("documents reprocess nope", ["Document not found: nope"]),
    ("documents reprocess nope --status failed", ["--parser"]),
    ("documents add nope nofile.pdf", ["nofile.pdf: No such file"]),
    ("documents add nope .", [".: Is a directory"]),
    ("export nope", ["Parser not found: nope"]),
    ("export nope --format odd", ["--format", "'odd'", "'xlsx'"]),
    ("warehouse query SELECT", ["analytics.duckdb", "warehouse rebuild"]),
    ("apply", ["pipeline.yaml", "No such file"]),
    ("evaluate nowhere", ["nowhere is not a folder"]),
    ("evaluate .", ["truth.json"]),
)


def test_wrong_input_is_told_in_one_line(docduck: Docduck, tmp_path: Path) -> None:
    (tmp_path / "fields.json").write_text('[{"name": "A"}]')
    for arguments, words in WRONG:
        assert_told(docduck(*arguments.split()), *words)


WRONG_FIELDS: Sequence[tuple[str, list[str]]] = (
    ("", ["Malformed JSON", "ends too early"]),
    ("{]", ["Malformed JSON", "line 1"]),
    ("[" * 100_000, ["Malformed JSON"]),
    ("{}", ["array of fields"]),
    ("[]", ["has no fields"]),
    ("[1]", ["fields.0"]),
    ('[{"type": "text"}]', ["fields.0.name", "required"]),
    ('[{"name": " "}]', ["fields.0", "needs a name"]),
    ('[{"name": ".."}]', ["fields.0", "can't be named '..'"]),
    ('[{"name": "A", "type": "colour"}]', ["fields.0.type", "'currency'"]),
    ('[{"name": "A", "typ": "text"}]', ["fields.0.typ"]),
    ('[{"name": "A"}, {"name": "a"}]', ["'a' twice"]),
    ('[{"name": "A", "type": "choice"}]', ["'A'", "options"]),
    ('[{"name": "A", "columns": [{"name": "B"}]}]', ["'A' has columns"]),
    ('[{"name": "A", "type": "table", "columns": [{"name": "B", "type": "table"}]}]', ["'B'"]),
    ('[{"name": "A", "type": "table", "columns": [{"type": "x"}]}]', ["fields.0.columns.0.name"]),
)


def test_wrong_fields_are_told_with_file_and_place(docduck: Docduck, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("x")
    for text, words in WRONG_FIELDS:
        (tmp_path / "my fields.json").write_text(text)
        said = docduck("extract", "x.txt", "--fields", "my fields.json")
        assert_told(said, "--fields my fields.json", *words)
    assert_told(docduck("parsers", "add", "New", "--fields", "my fields.json"), "my fields.json", *words)


def test_fields_in_another_encoding_are_told(docduck: Docduck, tmp_path: Path) -> None:
    (tmp_path / "f.json").write_bytes('[{"name": "Größe"}]'.encode("latin-1"))
    assert_told(docduck("extract", "x.txt", "--fields", "f.json"), "--fields f.json: Malformed JSON", "UTF-8")
    (tmp_path / "f.json").write_bytes('[{"name": "Größe"}]'.encode("utf-8-sig"))
    assert_told(docduck("extract", "x.txt", "--fields", "f.json"), "There is no file x.txt")


def test_nothing_is_uploaded_when_one_file_is_missing(docduck: Docduck, tmp_path: Path) -> None:
    docduck("parsers", "add", "--template", "invoice")
    (tmp_path / "there.txt").write_text("x")
    assert_told(docduck("documents", "add", "invoices", "there.txt", "gone.txt"), "gone.txt")
    assert docduck("documents", "list", "--json").json["pagination"]["total"] == 0


def test_wrong_sql_is_told_in_the_engine_s_words(docduck: Docduck) -> None:
    docduck("warehouse", "rebuild")
    for sql, word in (
        ("SELEC 1", "syntax error"),
        ("FROM nope", "nope"),
        ("CREATE TABLE t(a INT)", "read-only"),
    ):
        said = docduck("warehouse", "query", sql)
        assert said.code == 2
        assert word in said.err
        assert "Traceback" not in said.err


def test_a_broken_pipeline_is_told_with_its_line(docduck: Docduck, tmp_path: Path) -> None:
    path = tmp_path / "pipeline.yaml"
    path.write_text("parsers:\n  - template: invoice\n    colour: red\n")
    said = docduck("apply")
    assert said.code == 2
    assert said.err.startswith("Error: pipeline.yaml:3: parsers[0].colour")
    status = docduck("status")
    assert status.code == 0
    assert "pipeline.yaml is not applied" in status.out
    assert "pipeline.yaml:3" in docduck("status", "--json").json["pipelineProblem"]
    path.write_text("a: [")
    assert_told(docduck("apply"), "pipeline.yaml:1", "YAML")


def test_a_wrong_setting_is_told_with_its_variable(docduck: Docduck, environment: SETS) -> None:
    environment(workers="abc")
    assert_told(docduck("status"), "DOCDUCK_WORKERS", "'abc'")
    assert docduck("--version").code == 0
    environment(workers=1, log_level="loud")
    assert_told(docduck("status"), "DOCDUCK_LOG_LEVEL", "'WARNING'")


def test_a_home_that_can_t_be_used_is_told(docduck: Docduck, environment: SETS, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "locked").mkdir(mode=0o500)
    for home in (tmp_path / "file", tmp_path / "file" / "home", tmp_path / "locked"):
        environment(home=home)
        with permissions_hold():
            assert_told(docduck("status"), home, "DOCDUCK_HOME")


def test_a_catalog_that_is_something_else_is_told(docduck: Docduck, tmp_path: Path) -> None:
    (tmp_path / "home" / "catalog.sqlite").write_text("something else, and long enough to be looked at")
    assert_told(docduck("status"), "catalog.sqlite", "file is not a database")


@pytest.mark.parametrize(
    ("address", "words", "code"),
    [
        ("nonsense", ["DOCDUCK_CATALOG_URL", "postgresql+psycopg2://"], 2),
        ("mysql://host/db", ["DOCDUCK_CATALOG_URL", "mysql"], 2),
        ("postgresql+nonsense://host/db", ["DOCDUCK_CATALOG_URL"], 2),
        ("postgresql+psycopg2://me:secret@127.0.0.1:1/db", ["me:***@127.0.0.1:1", "Trying again"], 75),
    ],
)
def test_a_catalog_that_can_t_be_reached_is_told(
    docduck: Docduck, environment: SETS, address: str, words: list[str], code: int
) -> None:
    if code == 75:
        pytest.importorskip("psycopg2")
    environment(catalog_url=address)
    said = docduck("status")
    assert_told(said, *words, code=code)
    assert "secret" not in said.err


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (DocduckError("The run failed"), 1, "The run failed"),
        (Transient("The warehouse is held by another process"), 75, "Trying again may help."),
        (OSError(errno.ENOSPC, "No space left on device", "/x"), 75, "/x: No space left on device"),
        (PermissionError(errno.EACCES, "Permission denied", "/x"), 2, "/x: Permission denied"),
        (KeyboardInterrupt(), 130, ""),
        (Defect("Two rows for one document"), 70, "This is a defect of docduck"),
        (ZeroDivisionError("division by zero"), 70, "This is a defect of docduck"),
    ],
)
def test_every_kind_of_error_has_its_exit_code(
    docduck: Docduck,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: BaseException,
    code: int,
    words: str,
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setitem(main.COMMANDS, "status", f"{__name__}:failing")
    monkeypatch.setitem(globals(), "failing", fail)
    said = docduck("status")
    assert said.code == code
    assert words in said.err
    if code == 70:
        assert caplog.records[-1].exc_info is not None
