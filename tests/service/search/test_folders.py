from __future__ import annotations

from unittest.mock import patch

from docduck.service.core.installation import Installation
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.folders import create_folder, get_folder
from docduck.service.search import ordered_scan, paging
from docduck.service.search.query import ROOT, DocumentQuery
from tests.service.core.documents import add, complete, make_parser

SORTS = ("createdAt.desc", "createdAt.asc", "updatedAt.desc", "name.asc", "name.desc")
VALUES = ("field:Total.asc", "field:Number.desc")


def test_a_folder_stands_for_those_below_it_if_asked_for(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    team, mine = parser.team_id, parser.id
    top = create_folder(inst, team, mine, {"name": "Top"}).id
    middle = create_folder(inst, team, mine, {"name": "Middle", "parent_id": top}).id
    low = create_folder(inst, team, mine, {"name": "Low", "parent_id": middle}).id
    other = create_folder(inst, team, mine, {"name": "Other"}).id
    ids = add(inst, parser, 10)
    complete(inst, parser)
    ids += add(inst, parser, 5, "late")
    for number, folder in enumerate([top, middle, low, other, None] * 3):
        update_document(inst, team, mine, ids[number], {"folder_id": folder})
    within = {document_id for number, document_id in enumerate(ids) if number % 5 < 3}

    def found(folder: str, **query: str | bool) -> list[str]:
        asked = DocumentQuery(folder_id=folder, include_subfolders=True, in_values=True, **query)  # type: ignore[arg-type]
        page = find_documents(inst, team, mine, asked)
        assert page.total == len(page.rows)
        return [row.id for row in page.rows]

    for many in (0, 50_000):
        with patch.object(ordered_scan, "FEW", many), patch.object(paging, "_MANY", many):
            for sort in (*SORTS, *VALUES):
                everything = [
                    row.id
                    for row in find_documents(inst, team, mine, DocumentQuery(sort=sort, in_values=True)).rows
                ]
                assert found(top, sort=sort) == [one for one in everything if one in within], sort
                assert found(ROOT, sort=sort) == everything
            assert set(found(middle)) == {one for number, one in enumerate(ids) if number % 5 in (1, 2)}
            assert set(found(low)) == {one for number, one in enumerate(ids) if number % 5 == 2}
            assert set(found(top, status="queued")) == within & set(ids[10:])
            assert set(found(top, q="A-1")) == within & set(ids[:10])
            assert len(found(top)) == get_folder(inst, team, mine, top).document_count == 9
            assert get_folder(inst, team, mine, top).direct_document_count == 3
            second = find_documents(
                inst, team, mine, DocumentQuery(folder_id=top, include_subfolders=True, page=2, limit=4)
            )
            assert (second.total, len(second.rows)) == (9, 4)
            assert find_documents(inst, team, mine, DocumentQuery(folder_id=top)).total == 3
