"""Searches that take too long, and searches of folders with those below them."""

from __future__ import annotations

from types import SimpleNamespace
from unittest.mock import patch

import pytest
from sqlalchemy import text

from docduck import regex
from docduck.catalog.database import QueryTimedOut
from docduck.errors import InputError
from docduck.service.conditions import work_limits
from docduck.service.core.installation import Installation
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.folders import create_folder, get_folder
from docduck.service.search import ordered_scan, paging
from docduck.service.search.query import ROOT, DocumentQuery
from tests.service.core.documents import add, complete, make_parser
from tests.service.search.world import make, read_values

_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def checked_out(inst: Installation) -> int:
    """Connections that are in use."""
    return inst.catalog.engine.pool.checkedout()  # type: ignore[attr-defined, no-any-return]


def test_time_is_checked_for_each_value(any_inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = make(any_inst)
    rows = [{"What": f"row {number}"} for number in range(10)]
    read_values(any_inst, parser, {"Items": rows}, {"Items": rows})
    now, seen = [0.0], list[str]()

    def slow(_pattern: str, value: str, _work: int) -> bool:
        seen.append(value)
        now[0] += 4
        return False

    monkeypatch.setattr(work_limits, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(regex, "matches", slow)
    asked = DocumentQuery(
        filters=[{"field": "Items.What", "operator": "matches_regex", "value": "x$"}], in_values=True
    )
    with pytest.raises(InputError, match="takes too long"):
        find_documents(any_inst, any_inst.team_id, parser.id, asked)
    assert len(seen) == 3
    assert checked_out(any_inst) == 0


def test_the_database_ends_a_statement_that_takes_too_long(any_inst: Installation) -> None:
    for _ in range(3):
        with pytest.raises(QueryTimedOut), any_inst.catalog.read_session(0.05) as session:
            session.execute(text(_ENDLESS))
    assert checked_out(any_inst) == 0
    with any_inst.catalog.read_session() as session:
        limited = _ENDLESS.replace("FROM n)", "FROM n WHERE i < 300000)")
        assert session.scalar(text(limited)) == 300_000


def test_a_regular_expression_searches_as_much_text_as_its_work_allows() -> None:
    large = "(((a|b){1,30}){1,30})c"
    size = regex._compiled(large).programsize
    assert size > 1000
    assert regex.matches(large, "ab" * 100 + "c", 201 * size)
    assert not regex.matches(large, "ab" * 100 + "c", 200 * size)
    assert regex.matches("c$", "ab" * 100_000 + "c", work_limits.UNLIMITED.regex_work)


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
