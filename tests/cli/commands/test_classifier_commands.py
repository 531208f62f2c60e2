"""``docduck classifiers``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sqlalchemy import update

from docduck.catalog.models import Document
from docduck.service.core.installation import Installation
from tests.cli.conftest import Docduck


def set_status(inst: Installation, document_id: str, status: str) -> None:
    with inst.catalog.transaction() as session:
        values: dict[str, Any] = {"status": status, "routing_status": status}
        session.execute(update(Document).where(Document.id == document_id).values(**values))


def test_a_classifier_from_its_creation_to_its_deletion(
    docduck: Docduck, inst: Installation, tmp_path: Path
) -> None:
    for template in ("invoice", "receipt"):
        assert docduck("parsers", "add", "--template", template).code == 0
    inst.settings.models_file.write_text("large: {preset: openai}")
    own = tmp_path / "settings.json"
    own.write_text(
        json.dumps(
            {
                "acceptedFileTypes": ["text/plain"],
                "model": "large",
                "emailParsing": {"parseEmailBody": False},
            }
        )
    )
    said = docduck(
        *("classifiers", "create", "Mail", "--rule", "Invoice=invoices", "--rule", "A=B=receipts"),
        *("--fallback", "invoices", "--instructions", "Look at the title", "--settings", own),
    )
    assert said.code == 0, said.err
    for words in (
        "Mail (",
        "Invoice",
        "invoices",
        "A=B",
        "receipts",
        "Others: invoices",
        "Look at the title",
    ):
        assert words in said.out
    made = docduck("classifiers", "show", "Mail", "--json").json
    rules = made["settings"]["routing"]["rules"]
    assert [rule["label"] for rule in rules] == ["Invoice", "A=B"]
    assert [one["mimeType"] for one in made["acceptedFileTypes"]] == ["text/plain"]
    assert made["settings"]["emailParsing"]["parseEmailBody"] is False
    assert made["settings"]["model"] == "large"
    said = docduck("classifiers", "update", "Mail", "--name", "Post", "--fallback", "skip", "--inactive")
    assert (
        said.code == 0 and "Post (" in said.out and "Not active" in said.out and "Others: skipped" in said.out
    )
    file = tmp_path / "a.txt"
    file.write_text("Invoice 17")
    refused = docduck("documents", "add", "--classifier", "Post", file)
    assert (refused.code, refused.err) == (2, "Error: Classifier is inactive\n")
    changed = docduck(
        "classifiers", "update", made["id"], "--active", "--rule", "Invoice=invoices", "--json"
    ).json
    assert changed["settings"]["routing"]["rules"] == rules[:1] and changed["isActive"] is True
    own = tmp_path / "own.json"
    own.write_text('{"routing": {"instructions": "Look at the sender"}}')
    changed = docduck("classifiers", "update", made["id"], "--settings", own, "--json").json
    assert changed["settings"]["routing"]["instructions"] == "Look at the sender"
    assert changed["settings"]["routing"]["rules"] == rules[:1]
    (row,) = docduck("classifiers", "list", "--json").json
    assert (row["id"], row["name"]) == (made["id"], "Post")
    assert "Invoice" in docduck("classifiers", "list").out

    (added,) = docduck("documents", "add", "--classifier", "Post", file, "--json").json
    assert added["file"] == str(file)
    document_id = added["id"]
    shown = docduck("classifiers", "documents", "Post").out
    assert document_id in shown and "pending" in shown and "1 of 1" in shown
    (counted,) = docduck("status", "--json").json["classifiers"]
    assert (counted["name"], counted["documents"]["documents"], counted["waiting"]["queued"]) == (
        "Post",
        1,
        1,
    )
    assert "Post" in docduck("status").out
    set_status(inst, document_id, "skipped")
    routed = docduck("classifiers", "documents", "Post", "--status", "routed", "--json").json
    assert routed["pagination"]["total"] == 0
    said = docduck("classifiers", "route", "Post", document_id, "Invoices")
    assert (said.code, said.out) == (0, "a.txt is in Invoices\n"), said.err
    (moved,) = docduck("classifiers", "documents", "Post", "-q", "A.TX", "--json").json["data"]
    assert (moved["routing"]["category"], moved["routing"]["targetDocumentId"]) == ("Invoice", document_id)
    said = docduck("classifiers", "delete", "Post")
    assert (said.code, said.out) == (0, f"Deleted classifier {made['id']}\n")
    assert document_id in docduck("documents", "list", "--parser", "invoices").out


def test_what_is_wrong_is_named(docduck: Docduck, tmp_path: Path) -> None:
    assert docduck("parsers", "add", "--template", "invoice").code == 0
    create = ("classifiers", "create", "Mail")
    file = tmp_path / "a.txt"
    file.write_text("x")
    unknown = tmp_path / "unknown.json"
    unknown.write_text('{"fileTypes": []}')
    for arguments, words in (
        (create, "at least one rule: --rule LABEL=PARSER"),
        ((*create, "--rule", "Invoice"), "'Invoice' must be LABEL=PARSER"),
        ((*create, "--rule", "Invoice=none"), "Parser not found: none (docduck parsers list shows all)"),
        ((*create, "--rule", "a=invoices", "--rule", "A=invoices"), "routing.rules.1.label"),
        ((*create, "--rule", "a=invoices", "--settings", tmp_path / "none"), "--settings"),
        ((*create, "--rule", "a=invoices", "--settings", unknown), "unknown key fileTypes; known are accept"),
        (("classifiers", "update", "Mail", "--settings", unknown), "unknown key fileTypes; known are accept"),
        (("classifiers", "show", "Mail"), "Classifier not found: Mail (docduck classifiers list shows all)"),
        (("documents", "add", "--classifier", "Mail", file), "Classifier not found: Mail"),
        (("documents", "add", "invoices"), "at least one file"),
        (("documents", "add", "--classifier", "Mail", tmp_path / "none.txt"), "none.txt"),
    ):
        said = docduck(*arguments)
        assert said.code == 2 and words in said.err, (arguments, said)
