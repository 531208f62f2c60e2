from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import update

from docduck.catalog.models import SearchEntry
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.parsers import ParserChanges, ParserView, get_parser, update_parser
from docduck.service.search import ordered_scan, paging
from docduck.service.search.query import ROOT, DocumentQuery
from tests.service.core.documents import correct, set_document
from tests.service.search.world import everything, expected, make, populate, read, read_values

_TARGETS = ("Number", "Vendor", "Total", "Date", "Paid", "Tags", "Items.What", "Items.Amount")
_PROPERTIES = (
    *("$name", "$status", "$source", "$contentType", "$externalId", "$pageCount", "$createdAt", "$folderId"),
    *("$custom.a", "$custom.x.y", "$custom.x"),
)
_VALUES: tuple[Any, ...] = (
    *("acme gmbh", "ACME", "straße", "STRASSE & söhne", "a", "bolt", "öl", "l", "processed", "pdf"),
    *("12", 12, 12.5, -1, 0, "1.234,50", 1234.5, "2.5", 2.5, "2024-12-31", "31.12.2024", "2024"),
    *(True, "false", "y" * 260, "x" * 300, "x" * 239),
)
_ONE = (
    *("equals", "not_equals", "greater_than", "greater_than_or_equal", "less_than", "less_than_or_equal"),
    *("contains", "not_contains", "starts_with", "ends_with"),
)
_SORTS = (
    "createdAt.desc",
    "createdAt.asc",
    "updatedAt.desc",
    "name.asc",
    "name.desc",
    *(f"field:{target}.{way}" for target in _TARGETS for way in ("asc", "desc")),
)
_WORDS = (
    *("acme", "straße", "STRASSE", "ö", "rechnung", "bolt steel", "urgent", "pdf 1"),
    *("12", "1", "12.5", "a_b%", "x-0"),
)


def _filter(chance: random.Random) -> dict[str, Any]:
    field = chance.choice((*_TARGETS, *_TARGETS, *_PROPERTIES))
    match chance.randrange(8):
        case 0:
            operator = chance.choice(["exists", "not_exists", "is_empty", "is_not_empty"])
            return {"field": field, "operator": operator}
        case 1:
            operator = chance.choice(["in", "not_in"])
            return {"field": field, "operator": operator, "value": chance.sample(_VALUES, 3)}
        case 2:
            return {"field": field, "operator": "between", "value": chance.sample(_VALUES, 2)}
        case 3:
            pattern = chance.choice(["^a", "[0-9]{2}", "ss"])
            return {"field": field, "operator": "matches_regex", "value": pattern}
        case _:
            return {"field": field, "operator": chance.choice(_ONE), "value": chance.choice(_VALUES)}


def _queries(chance: random.Random, count: int) -> Iterator[DocumentQuery]:
    for _ in range(count):
        yield DocumentQuery(
            q=chance.choice((None, None, *_WORDS)),
            status=chance.choice((None, None, None, "processed", "queued")),
            folder_id=chance.choice((None, None, None, ROOT)),
            sort=chance.choice((None, *_SORTS)),
            filters=[_filter(chance) for _ in range(chance.choice([0, 1, 1, 2, 3]))],
            in_values=True,
        )


def _agrees(inst: Installation, parser: ParserView, chance: random.Random, count: int) -> None:
    documents = everything(inst, parser)
    for query in _queries(chance, count):
        wanted = expected(parser, documents, query)
        _check(inst, parser, query, wanted)
    for q in ("rechnung 1", "STRASSE", "x-", "ö 2", "no such"):
        for sort in ("createdAt.asc", "updatedAt.desc", None):
            query = DocumentQuery(q=q, sort=sort)
            _check(inst, parser, query, expected(parser, documents, query))


def _check(inst: Installation, parser: ParserView, query: DocumentQuery, wanted: list[str]) -> None:
    limit = 7
    whole = len(wanted) // limit
    for page in {1, 2, max(1, -(-len(wanted) // limit)), whole // 2 + 1, whole + 2}:
        found = find_documents(inst, parser.team_id, parser.id, replace(query, page=page, limit=limit))
        assert found.total == len(wanted), query
        assert [row.id for row in found.rows] == wanted[(page - 1) * limit : page * limit], (query, page)


@pytest.mark.extended
@pytest.mark.parametrize(("few", "many"), [(0, 0), (0, 50), (ordered_scan.FEW, 50)])
def test_searches_agree_with_looking_at_each_document(any_inst: Installation, few: int, many: int) -> None:
    inst, chance = any_inst, random.Random(1)
    parser = make(inst)
    other = make(inst)
    populate(inst, parser, chance, 120)
    populate(inst, other, chance, 10)
    with (
        patch.object(ordered_scan, "FEW", few),
        patch.object(ordered_scan, "_FEW_LOOKUPS", few),
        patch.object(paging, "_MANY", many),
    ):
        _agrees(inst, parser, chance, 60)
        ids = [one.document.id for one in everything(inst, parser)]
        delete_documents(inst, inst.team_id, ids[::9])
        left = [one for one in everything(inst, parser) if one.document.status == "processed"]
        reprocess(inst, inst.team_id, [one.document.id for one in left[:20]])
        read(inst, parser, chance, 10)
        for one in left[30:40]:
            values = {"Vendor": "Acme", "Items": [{"Amount": 7}], "Total": None}
            correct(inst, inst.team_id, one.document.id, values)
        for one in left[40:50]:
            changes: Any = {"name": "straße neu.pdf", "external_id": None, "custom": {"a": "new"}}
            update_document(inst, inst.team_id, parser.id, one.document.id, changes)
        _agrees(inst, get_parser(inst, inst.team_id, parser.id), chance, 60)


def test_printed_dates_of_filters_are_read_by_the_parsers_locale(any_inst: Installation) -> None:
    parser = make(any_inst)

    def found(operator: str, value: Any, field: str = "Date") -> set[str]:
        query = DocumentQuery(filters=[{"field": field, "operator": operator, "value": value}])
        return {row.id for row in find_documents(any_inst, any_inst.team_id, parser.id, query).rows}

    for order, day, printed in (
        ("month_first", "2024-03-04", "03/04/2024"),
        ("day_first", "2024-04-03", "03/04/2024"),
        ("year_first", "2003-04-25", "03/04/25"),
    ):
        changes = ParserChanges(settings={"readingLocale": {"dateOrder": order}})
        update_parser(any_inst, any_inst.team_id, parser.id, changes)
        dated, *_ = read_values(any_inst, parser, {"Date": day}, {"Date": "2011-11-11"}, {"Date": None})
        assert found("equals", printed) == {dated}
        assert found("in", [printed]) == {dated}
        assert found("between", [printed, printed]) == {dated}
        assert dated not in found("not_equals", printed)
        moment = datetime.fromisoformat(f"{day}T12:00:00+00:00")
        set_document(any_inst, dated, created_at=moment)
        with any_inst.catalog.transaction() as session:
            mine = update(SearchEntry).where(SearchEntry.document_id == dated)
            session.execute(mine.values(created_at=moment))
        assert found("equals", printed, "$createdAt") == {dated}
