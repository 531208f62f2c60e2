from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Docduck


@pytest.fixture
def parser(docduck: Docduck) -> str:
    assert docduck("parsers", "add", "--template", "invoice").code == 0
    return "invoices"


def test_folders_are_made_listed_changed_and_deleted(docduck: Docduck, parser: str, tmp_path: Path) -> None:
    bills = docduck("folders", "create", parser, "Bills", "--color", "red", "--json").json
    assert (bills["pathLabel"], bills["color"], bills["hasAutoAssign"]) == ("Bills", "red", False)
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps({"rules": [{"field": "Total", "condition": "exists"}]}))
    made = docduck("folders", "create", parser, "2026", "--parent", bills["id"], "--rules", rules)
    assert made.code == 0 and "Bills / 2026" in made.out
    inner = docduck("folders", "list", parser, "-q", "2026", "--json").json[0]
    assert inner["autoAssignment"]["rules"][0]["field"] == "Total"
    listed = docduck("folders", "list", parser)
    assert "Bills / 2026" in listed.out and "yes" in listed.out
    moved = docduck("folders", "update", parser, inner["id"], "--parent", "root", "--name", "EU", "--no-auto")
    assert moved.code == 0 and moved.out.strip() == f"{inner['id']} EU"
    back = docduck(
        "folders", "update", parser, inner["id"], "--parent", bills["id"], "--auto", "--color", "b", "--json"
    ).json
    assert (back["pathLabel"], back["hasAutoAssign"], back["color"]) == ("Bills / EU", True, "b")
    assert docduck("folders", "update", parser, inner["id"], "--rules", rules, "--json").json == {
        **back,
        "updatedAt": back["updatedAt"],
    }
    document = tmp_path / "a.txt"
    document.write_text("Total: 5")
    assert docduck("documents", "add", parser, document).code == 0
    gone = docduck("folders", "delete", parser, bills["id"])
    assert gone.out.strip() == "2 folders deleted, 0 documents moved out, 0 deleted"
    last = docduck("folders", "create", parser, "Last", "--json").json["id"]
    assert docduck("folders", "delete", parser, last, "--documents", "--json").json == {
        "id": last,
        "folders": 1,
        "moved_documents": 0,
        "deleted_documents": 0,
    }
    assert docduck("folders", "list", parser, "--json").json == []


def test_what_is_wrong_is_told(docduck: Docduck, parser: str, tmp_path: Path) -> None:
    assert docduck("folders", "create", parser, "Bills").code == 0
    twice = docduck("folders", "create", parser, "bills")
    assert (twice.code, twice.err) == (2, "Error: Folder already exists: bills\n")
    unknown = docduck("folders", "delete", parser, "nothing")
    assert (unknown.code, unknown.err) == (
        2,
        "Error: Folder not found: nothing (docduck folders list PARSER shows all)\n",
    )
    assert docduck("folders", "list", "nobody").code == 2
    bad = tmp_path / "bad.json"
    missing = docduck("folders", "create", parser, "New", "--rules", bad)
    assert missing.code == 2 and "No such file" in missing.err
    bad.write_text("{")
    assert f"--rules {bad}: Malformed JSON" in docduck("folders", "create", parser, "New", "--rules", bad).err
    bad.write_text('{"rules": [{"field": "Nothing", "condition": "exists"}]}')
    assert "Unknown field: Nothing" in docduck("folders", "create", parser, "New", "--rules", bad).err
