from __future__ import annotations

import json
from pathlib import Path

import pytest

from docduck.service.core.installation import Installation
from docduck.service.processing.processing import process_queue
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
        "success": True,
        "id": last,
        "deletedFolders": 1,
        "movedDocuments": 0,
        "deletedDocuments": 0,
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


def test_documents_are_filed_and_exported_by_the_path_of_a_folder(
    docduck: Docduck, inst: Installation, parser: str, tmp_path: Path
) -> None:
    bills = docduck("folders", "create", parser, "Bills", "--json").json["id"]
    docduck("folders", "create", parser, "2026", "--parent", bills)
    document = tmp_path / "a.txt"
    ids = []
    for number in range(3):
        document.write_text(f"Invoice number: A-{number}")
        ids.append(docduck("documents", "add", parser, document, "--json").json[0]["id"])
    filed = docduck("documents", "file", parser, "bills/2026", ids[0])
    assert (filed.code, filed.out) == (0, "1 filed in Bills / 2026\n")
    assert docduck("documents", "file", parser, bills, ids[1], ids[2], "--json").json["ids"] == ids[1:]
    assert docduck("documents", "file", parser, "root", ids[2]).out == "1 filed in no folder\n"
    process_queue(inst)

    def exported(place: str) -> list[str]:
        made = docduck("export", parser, "--in", place, "--folder", tmp_path / "out", "--json").json
        rows = json.loads(Path(made["path"]).read_text())
        return [row["document"]["id"] for row in rows]

    assert exported("Bills / 2026") == ids[:1]
    assert exported("BILLS") == ids[:2]
    wrong = docduck("export", parser, "--in", "Bills / 2025")
    assert wrong.code == 2
    assert "There is no folder 'Bills / 2025'; the parser's folders: Bills, Bills / 2026" in wrong.err
