from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import delete, event, func, select, update

from docduck.catalog.models import Document, DocumentCount, SearchEntry, SearchShape, SearchText, SearchValue
from docduck.errors import Transient
from docduck.fields import Field, FieldType
from docduck.service.conditions import Kind
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries.finding import find_documents
from docduck.service.folders.folder_changes import create_folder
from docduck.service.parsers.parsers import ParserView, set_fields
from docduck.service.search import entries
from docduck.service.search.encoding import cell_entries
from docduck.service.search.maintenance import index_stale_documents, merge_counters
from docduck.service.search.query import DocumentQuery
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, complete, make_parser
from tests.service.search.world import everything, expected, make, populate

_QUERIES = (
    DocumentQuery(q="acme", in_values=True),
    DocumentQuery(q="rechnung"),
    DocumentQuery(filters=[{"field": "Vendor", "operator": "equals", "value": "12"}], in_values=True),
    DocumentQuery(filters=[{"field": "Vendor", "operator": "less_than", "value": "100"}], in_values=True),
    DocumentQuery(sort="field:Vendor.desc", in_values=True),
    DocumentQuery(filters=[{"field": "$externalId", "operator": "exists"}], in_values=True),
)


def _agree(inst: Installation, parser: ParserView) -> None:
    documents = everything(inst, parser)
    for query in _QUERIES:
        wanted = expected(parser, documents, query)
        found = find_documents(inst, inst.team_id, parser.id, replace(query, limit=100))
        assert found.total == len(wanted)
        assert [row.id for row in found.rows] == wanted


def _with_value(inst: Installation, parser: ParserView, field: str, value: str) -> list[str]:
    query = DocumentQuery(filters=[{"field": field, "operator": "equals", "value": value}], in_values=True)
    return [row.id for row in find_documents(inst, inst.team_id, parser.id, query).rows]


def _with_type(parser: ParserView, name: str, kind: FieldType) -> list[Field]:
    return [f.model_copy(update={"type": kind}) if f.name == name else f for f in parser.fields]


def _stale(inst: Installation, parser: ParserView) -> int:
    with inst.catalog.read_session() as session:
        mine = SearchEntry.parser_id == parser.id
        shapes = set(session.scalars(select(SearchEntry.shape_id).where(mine).distinct()))
        return len(shapes - {None})


def test_a_correction_indexes_the_changed_fields_alone(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(inst)
    (document_id,) = add(inst, parser)
    complete(inst, parser, rows=500)
    indexed: list[object] = []

    def counted(kind: Kind, cell: Any) -> Any:
        indexed.append(cell)
        return cell_entries(kind, cell)

    monkeypatch.setattr(entries, "cell_entries", counted)
    set_values(inst, inst.team_id, parser.id, document_id, {"Number": "B-77"})
    assert indexed == ["A-1", "B-77"]
    assert _with_value(inst, parser, "Number", "B-77") == [document_id]
    assert _with_value(inst, parser, "Number", "A-1") == []
    assert _with_value(inst, parser, "Line Items.Description", "item 499") == [document_id]


def test_a_changed_type_counts_at_once_and_is_indexed_in_time(any_inst: Installation) -> None:
    parser = make(any_inst)
    populate(any_inst, parser, random.Random(3), 40)
    changed = set_fields(any_inst, parser.team_id, parser.id, _with_type(parser, "Vendor", FieldType.NUMBER))
    _agree(any_inst, changed)
    assert index_stale_documents(any_inst) > 25
    assert index_stale_documents(any_inst) == 0
    _agree(any_inst, changed)


def test_a_removed_field_is_not_found_any_more_and_a_new_one_needs_no_indexing(
    any_inst: Installation,
) -> None:
    parser = make(any_inst)
    populate(any_inst, parser, random.Random(4), 40)
    fewer = set_fields(any_inst, parser.team_id, parser.id, [f for f in parser.fields if f.name != "Tags"])
    _agree(any_inst, fewer)
    assert index_stale_documents(any_inst) > 0
    _agree(any_inst, fewer)
    more = set_fields(any_inst, parser.team_id, parser.id, [*fewer.fields, Field(name="New")])
    assert index_stale_documents(any_inst) == 0
    _agree(any_inst, more)


def test_a_catalog_from_before_the_index_is_searched_and_indexed(any_inst: Installation) -> None:
    parser = make(any_inst)
    populate(any_inst, parser, random.Random(5), 30)
    # As the migration leaves a catalog that has documents already.
    with any_inst.catalog.transaction() as session:
        for table in (SearchValue, SearchText, SearchShape):
            session.execute(delete(table))
        session.execute(update(SearchEntry).values(shape_id=0))
    _agree(any_inst, parser)
    delete_documents(any_inst, any_inst.team_id, [everything(any_inst, parser)[0].document.id])
    assert index_stale_documents(any_inst, seconds=0) == 29
    _agree(any_inst, parser)
    assert _stale(any_inst, parser) == 1
    delete_documents(any_inst, any_inst.team_id, [one.document.id for one in everything(any_inst, parser)])
    with any_inst.catalog.read_session() as session:
        for left in (SearchEntry, SearchText, SearchValue):
            assert session.scalar(select(func.count()).select_from(left)) == 0


def test_a_slow_search_says_that_the_index_is_behind(inst: Installation, make_installation: Any) -> None:
    parser = make(inst)
    populate(inst, parser, random.Random(6), 30)
    with inst.catalog.transaction() as session:
        session.execute(update(SearchEntry).values(shape_id=0))
    hurried = make_installation(search_seconds=1e-9)
    with pytest.raises(Transient, match="being brought up to date"):
        find_documents(hurried, inst.team_id, parser.id, _QUERIES[0])
    assert find_documents(hurried, inst.team_id, parser.id, DocumentQuery()).total == 30


@pytest.mark.postgres
def test_postgresql_writes_the_values_of_many_documents_at_once(
    make_installation: MakeInstallation, postgres_catalog: str
) -> None:
    inst = make_installation(catalog_url=postgres_catalog, values_at_once=70)
    parser = make(inst)
    populate(inst, parser, random.Random(9), 40)
    with inst.catalog.read_session() as session:
        values = session.scalar(select(func.count()).select_from(SearchValue)) or 0
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, sql: str, parameters: Any, _context: Any, many: bool) -> None:
        sent.extend([sql] * (len(parameters) if many else 1))

    event.listen(inst.catalog.engine, "before_cursor_execute", note)
    delete_documents(inst, inst.team_id, [one.document.id for one in everything(inst, parser)])
    assert sum("DELETE FROM search_values" in one for one in sent) == math.ceil(values / 70) > 1
    with inst.catalog.read_session() as session:
        assert session.scalar(select(func.count()).select_from(SearchValue)) == 0


def test_counts_are_exact_whoever_writes(any_inst: Installation) -> None:
    parser = make(any_inst)
    populate(any_inst, parser, random.Random(8), 30)
    folder = create_folder(any_inst, parser.team_id, parser.id, {"name": "F"}).id
    with any_inst.catalog.transaction() as session:
        ids = session.scalars(select(Document.id).order_by(Document.id)).all()
        session.execute(update(Document).where(Document.id.in_(ids[:7])).values(folder_id=folder))
        session.execute(delete(Document).where(Document.id == ids[0]))
    merge_counters(any_inst)
    with any_inst.catalog.read_session() as session:
        summed = session.execute(
            select(DocumentCount.status, func.sum(DocumentCount.documents)).group_by(DocumentCount.status)
        )
        counted = session.execute(select(Document.status, func.count()).group_by(Document.status))
        assert {status: int(n) for status, n in summed if n} == {status: n for status, n in counted}
    assert find_documents(any_inst, any_inst.team_id, parser.id, DocumentQuery()).total == 29
    found = find_documents(any_inst, any_inst.team_id, parser.id, DocumentQuery(folder_id=folder))
    assert found.total == 6
    assert len(found.rows) == 6
