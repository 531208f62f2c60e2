"""``docduck export`` and ``docduck layouts``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docduck.service.core.installation import Installation
from tests.cli.conftest import Docduck
from tests.exports.cells import read_cell
from tests.exports.reading import read_csv
from tests.service.outputs.world import expected, make_world


@pytest.fixture
def ids(inst: Installation) -> list[str]:
    """The documents of the parser Bills."""
    return make_world(inst)[1]


def test_formats_and_scopes(docduck: Docduck, ids: list[str]) -> None:
    for format, scope, options in (
        ("json", None, []),
        ("csv", "all_sheets", ["--scope", "all_sheets"]),
        ("xlsx", "table", ["--table", "Line Items"]),
    ):
        made = docduck("export", "bills", "--format", format, *options, "--json").json
        found = read_cell(format, scope, Path(made["path"]).read_bytes())
        assert found == expected(format, scope, ids), (format, scope)


def test_selections_and_only_what_is_new(docduck: Docduck, ids: list[str], tmp_path: Path) -> None:
    one, two, three = ids

    def exported(*options: str) -> list[str]:
        made = docduck("export", "bills", *options, "--folder", tmp_path / "out", "--json").json
        rows = json.loads(Path(made["path"]).read_text()) if made["path"] else []
        return [row["document"]["id"] for row in rows]

    assert exported("--id", two, "--id", one) == [one, two]
    assert exported("--filter", "Total >= 100") == [one]
    assert exported("--filter", "Number starts_with b", "--filter", "Total exists") == [two]
    assert exported("--only-new", "nightly", "--filter", "Paid = false") == [two]
    assert exported("--only-new", "nightly") == [one, three]
    assert exported("--only-new", "nightly") == []
    assert docduck("export", "bills", "--only-new", "nightly").out == "Nothing new\n"
    docduck("export", "bills", "--file", "latest {parser}", "--folder", tmp_path)
    assert (tmp_path / "latest bills.json").exists()
    wrong = docduck("export", "bills", "--filter", "Total")
    assert (wrong.code, "must be a field, an operator and a value" in wrong.err) == (2, True)
    wrong = docduck("export", "bills", "--id", "nope")
    assert (wrong.code, wrong.err[:33]) == (2, "Error: Document not found: nope (")


@pytest.mark.usefixtures("ids")
def test_layouts(docduck: Docduck) -> None:
    columns = ["--column", "Number=Beleg", "--column", "Line Items.Amount=Betrag", "--column", "$rowNumber"]
    made = docduck("layouts", "set", "bills", "SAP", "-f", "csv", "--table", "Line Items", *columns)
    assert made.out == "SAP: Beleg, Betrag, $rowNumber\n"
    assert "SAP" in docduck("layouts", "list", "bills").out
    shown = docduck("layouts", "show", "bills", "SAP", "--json").json
    assert shown["tableName"] == "Line Items"
    file = docduck("export", "bills", "--layout", "SAP", "--json").json
    assert read_csv(Path(file["path"]).read_bytes())[:2] == [
        ["Beleg", "Betrag", "row_number"],
        ["Ä-1 <&> \"x\", 'y'", "0.1", "1"],
    ]
    assert docduck("layouts", "set", "bills", "SAP", "-f", "xlsx").out == "SAP: the usual columns\n"
    assert docduck("layouts", "show", "bills", shown["id"], "--json").json["format"] == "xlsx"
    assert docduck("layouts", "delete", "bills", "SAP").out == "Deleted the layout SAP\n"
    gone = docduck("export", "bills", "--layout", "SAP")
    assert (gone.code, "docduck layouts list PARSER" in gone.err) == (2, True)
