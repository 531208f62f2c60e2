from __future__ import annotations

import datetime as dt
import logging
from typing import Any

import pytest
from sqlalchemy import func, select, update

from docduck import clock
from docduck.catalog.models import DocumentResult, SearchEntry, SearchText, SearchValue
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.parsers import ParserView
from docduck.service.search.expiry import expire_values
from docduck.service.search.query import DocumentQuery
from docduck.service.upkeep.housekeeping import sweep
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, complete, make_parser

_OLD = dt.timedelta(days=31)


def _found(inst: Installation, parser: ParserView, *filters: dict[str, Any], **query: Any) -> list[str]:
    asked = DocumentQuery(filters=filters, in_values=True, sort=query.pop("sort", "createdAt.asc"), **query)
    found = find_documents(inst, inst.team_id, parser.id, asked)
    assert found.total == len(found.rows)
    return [row.id for row in found.rows]


def _filter(operator: str, value: Any = None, field: str = "Number") -> dict[str, Any]:
    return {"field": field, "operator": operator} | ({} if value is None else {"value": value})


def _made(inst: Installation, olds: int = 2) -> tuple[ParserView, list[str], str]:
    """A parser with read documents, all but the last of them old."""
    parser = make_parser(inst)
    old, (new,) = add(inst, parser, olds, "old"), add(inst, parser, prefix="new")
    complete(inst, parser)
    with inst.catalog.transaction() as session:
        session.execute(
            update(DocumentResult)
            .where(DocumentResult.document_id.in_(old))
            .values(updated_at=clock.now() - _OLD)
        )
    return parser, old, new


def _counts(inst: Installation) -> tuple[int, ...]:
    with inst.catalog.read_session() as session:
        tables = (SearchValue, SearchText, SearchEntry)
        return tuple(session.scalar(select(func.count()).select_from(table)) or 0 for table in tables)


def test_old_documents_are_found_by_their_properties_alone(any_inst: Installation) -> None:
    parser, old, new = _made(any_inst)
    every = [*old, new]
    x_items = _filter("not_equals", "x", "Line Items.Description")
    by_values = [
        ((_filter("equals", "A-1"),), {}),
        ((_filter("not_equals", "B"),), {}),
        ((_filter("matches_regex", "A.*"),), {}),
        ((x_items, _filter("equals", "processed", "$status")), {"status": "processed"}),
        ((_filter("not_contains", "x", "Tags"),), {}),
        ((), {"q": "item"}),
    ]
    by_properties: list[tuple[tuple[dict[str, Any], ...], dict[str, Any], list[str]]] = [
        ((_filter("not_exists"),), {}, []),
        ((_filter("not_equals", "X", "$externalId"),), {}, every),
        ((_filter("equals", "old-0.txt", "$name"),), {}, old[:1]),
        ((), {"q": "old"}, old),
        ((), {"status": "processed"}, every),
    ]
    for filters, query in by_values:
        assert _found(any_inst, parser, *filters, **query) == every, (filters, query)
    assert expire_values(any_inst, 30) == 2
    assert expire_values(any_inst, 30) == 0
    for filters, query in by_values:
        assert _found(any_inst, parser, *filters, **query) == [new], (filters, query)
    for filters, query, found in by_properties:
        assert _found(any_inst, parser, *filters, **query) == found, (filters, query)
    assert _found(any_inst, parser, sort="field:Number.asc") == [new, *reversed(old)]
    with any_inst.catalog.read_session() as session:
        assert set(session.scalars(select(DocumentResult.document_id))) == set(every)


def test_a_document_that_is_corrected_or_read_again_is_found_again(any_inst: Installation) -> None:
    parser, (first, second), new = _made(any_inst)
    before, *_ = _counts(any_inst)
    expire_values(any_inst, 30)
    # One entry is left for each name.
    assert _counts(any_inst) == (before // 3 + 2, 3, 3)
    update_document(any_inst, parser.team_id, parser.id, first, {"name": "else.txt"}, "test")
    set_values(any_inst, parser.team_id, parser.id, first, {"Total": 99})
    reprocess(any_inst, parser.team_id, [second], "test")
    complete(any_inst, parser)
    assert _found(any_inst, parser, _filter("equals", "A-1")) == [first, second, new]
    assert _found(any_inst, parser, _filter("equals", 99, "Total"), q="else item") == [first]
    assert expire_values(any_inst, 30) == 0
    delete_documents(any_inst, parser.team_id, [first, second, new])
    assert _counts(any_inst) == (0, 0, 0)


def test_the_daily_upkeep_expires_values_in_batches_if_days_are_set(
    make_installation: MakeInstallation, caplog: pytest.LogCaptureFixture
) -> None:
    inst = make_installation(expiry_batch=2)
    parser, old, new = _made(inst, olds=5)
    sweep(inst)
    assert _found(inst, parser, _filter("equals", "A-1")) == [*old, new]
    with caplog.at_level(logging.INFO, "docduck.service.search.expiry"):
        sweep(make_installation(search_days=30, expiry_batch=2))
    assert caplog.messages == ["removed the values of 5 documents from the search index"]
    assert _found(inst, parser, _filter("equals", "A-1")) == [new]
