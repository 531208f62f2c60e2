"""Lists over all parsers of a team, and orders and conditions that all lists have."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.documents.queries import finding, listing
from docduck.service.documents.queries.finding import find_document_ids, find_documents
from docduck.service.documents.queries.listing import find_team_document_ids, find_team_documents
from docduck.service.search.query import DocumentQuery
from tests.service.core.documents import make_parser, set_document
from tests.service.documents.queries.test_duplicates import read


def test_lists_of_a_team_and_of_a_parser_agree(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst, parser, empty = any_inst, make_parser(any_inst), make_parser(any_inst, "Others")
    ids = [read(inst, parser, name, Number=f"{name}-ümlaut") for name in ("b", "a", "c", "d")]
    shares = ((0.5, 2, "failed"), (None, None, "approved"), (0.9, 1, "skipped"), (0.1, 30, "approved"))
    for document_id, (confidence, pages, status) in zip(ids, shares, strict=True):
        set_document(inst, document_id, confidence=confidence, page_count=pages, status=status)

    def names(**query: Any) -> str:
        asked = DocumentQuery(in_values=True, **query)
        of_team = find_team_documents(inst, inst.team_id, asked)
        of_parser = find_documents(inst, inst.team_id, parser.id, asked)
        assert [row.id for row in of_team.rows] == [row.id for row in of_parser.rows], query
        everything = sorted(find_team_document_ids(inst, inst.team_id, asked))
        assert everything == sorted(row.id for row in of_team.rows) and of_team.total == len(everything)
        assert everything == sorted(find_document_ids(inst, inst.team_id, parser.id, asked))
        assert find_document_ids(inst, inst.team_id, empty.id, asked) == []
        return "".join(row.name[0] for row in of_team.rows)

    assert names() == "dcab"
    assert names(sort="confidence.asc") == "dbca" and names(sort="confidence.desc") == "cbda"
    assert names(sort="pageCount.asc") == "cbda" and names(sort="pageCount.desc") == "dbca"
    assert names(sort="status.asc") in ("adbc", "dabc") and names(sort="status.desc")[:2] == "cb"
    assert names(confidence_below=0.9) == "db" and names(confidence_below=0.95) == "dcb"
    assert names(q="Ümlaut") == "dcab" and names(q="ümlaut a-") == "a" and names(q="a-") == "a"
    assert names(q="nothing") == "" and names(q="ümlaut", status="approved") == "da"
    for page, expected in ((1, "dbc"), (2, "a"), (3, "")):
        asked = DocumentQuery(sort="confidence.asc", page=page, limit=3, in_values=True)
        for rows in (
            find_team_documents(inst, inst.team_id, asked).rows,
            find_documents(inst, inst.team_id, parser.id, asked).rows,
        ):
            assert "".join(row.name[0] for row in rows) == expected
    for module in (finding, listing):
        monkeypatch.setattr(module, "MOST_IDS", 3)
    assert names(status="approved") == "da"
    with pytest.raises(InputError, match=r"more than 3 documents.*narrow the list"):
        find_team_document_ids(inst, inst.team_id, DocumentQuery())
    with pytest.raises(InputError, match=r"more than 3 documents.*narrow the list"):
        find_document_ids(inst, inst.team_id, parser.id, DocumentQuery())
    with pytest.raises(InputError, match=r"Known: createdAt\.desc.*pageCount\.desc"):
        names(sort="size.asc")
