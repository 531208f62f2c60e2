"""``docduck review``."""

from __future__ import annotations

import json
from pathlib import Path

from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from tests.cli.conftest import Docduck
from tests.service.core.documents import make_parser
from tests.service.reviews.reviews_world import read_one


def test_stages_are_set_up_and_documents_are_reviewed(
    docduck: Docduck, inst: Installation, tmp_path: Path
) -> None:
    parser = make_parser(inst)
    for name in ("ann", "bob"):
        assert docduck("users", "create", f"{name}@example.org", name.title()).code == 0
        assert docduck("users", "add", f"{name}@example.org", "--role", "reviewer").code == 0
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps([{"field": "Total", "condition": "exists"}]))
    books = docduck("review", "create", "invoices", "Books", "--reviewer", "Ann@example.org", "--json").json
    said = docduck("review", "create", "invoices", "CFO", "--reviewer", "bob@example.org", "--rules", rules)
    assert said.code == 0 and said.out.endswith(" 2. CFO\n"), said
    changed = docduck("review", "update", "invoices", books["id"], "--instructions", "Look", "--json").json
    assert changed == {**books, "reviewerInstructions": "Look"}
    listed = docduck("review", "stages", "invoices", "--json").json
    assert [(one["name"], one["reviewType"]) for one in listed] == [
        ("Books", "mandatory"),
        ("CFO", "conditional"),
    ]
    table = docduck("review", "stages", "invoices").out
    assert "bob@example.org" in table and "Total exists" in table

    document_id = read_one(inst, parser)
    waiting = docduck("review", "queue", "--reviewer", "ann@example.org")
    assert document_id in waiting.out and "Books" in waiting.out
    assert docduck("review", "queue", "--reviewer", "bob@example.org", "--json").json == []
    assert docduck("review", "queue", "--parser", "invoices", "--json").json[0]["id"] == document_id
    refused = docduck("review", "approve", document_id, "--as", "bob@example.org")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == "Error: Only the assigned reviewer can act on this stage\n"
    unknown = docduck("review", "approve", document_id, "--as", "eve@example.org")
    assert unknown.code == 2 and "No member of the team has this address: eve@example.org" in unknown.err
    said = docduck("review", "approve", document_id, "--as", "ann@example.org")
    assert said.out == "doc-0.txt is in review at CFO, assigned to bob@example.org\n", said
    said = docduck(
        "review", "reject", document_id, "--as", "bob@example.org", "--reason", "no order", "--json"
    )
    assert said.json["review"]["stages"][1]["comment"] == "no order"
    refused = docduck("review", "approve", document_id, "--as", "bob@example.org")
    assert refused.err == "Error: Document is not in review\n"
    said = docduck("review", "reset", document_id, "--as", "bob@example.org")
    assert said.out == "doc-0.txt is in review at Books, assigned to ann@example.org\n"
    said = docduck("review", "assign", document_id, "bob@example.org")
    assert said.out == "doc-0.txt is in review at Books, assigned to bob@example.org\n"
    refused = docduck("review", "delete", "invoices", books["id"])
    assert "Review stage is pending or in progress on 1 documents" in refused.err
    set_values(inst, inst.team_id, parser.id, document_id, {"Line Items": [{"Amount": 3}]})
    refused = docduck("review", "approve", document_id, "--as", "bob@example.org")
    assert "--anyway approves it nevertheless: The rows sum to 3, but the total reads" in refused.err
    for _ in range(2):
        said = docduck("review", "approve", document_id, "--as", "bob@example.org", "--anyway")
    assert said.out == "doc-0.txt is approved\n"
    assert docduck("review", "delete", "invoices", books["id"]).out == "Deleted\n"
    gone = docduck("review", "delete", "invoices", books["id"])
    assert gone.code == 2 and "Review stage not found" in gone.err
