"""Values that nobody is sure of."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from docduck.errors import InputError, NotFound
from docduck.service.accounts.accounts import create_team
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import confirm_values, set_values
from docduck.service.documents.doubts import LOW
from docduck.service.documents.queries import unsure_values as module
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.unsure_values import UnsureValue, UnsureValues, unsure_values
from docduck.service.parsers.field_editing import update_field
from docduck.service.parsers.parsers import ParserChanges, ParserView, delete_parser, update_parser
from docduck.service.processing.results import store_outcomes
from docduck.statuses import Status
from tests.service.core.documents import add, make_parser, read_document, read_outcomes, set_document


def read(inst: Installation, parser: ParserView, changes: dict[str, Any] | None = None, **values: Any) -> str:
    """A document that is read; ``changes`` are what differs in the evidence, by field or by column."""
    (document,) = add(inst, parser)
    (outcome,) = read_outcomes(inst, parser, **values)
    assert outcome.extraction is not None
    for name, change in (changes or {}).items():
        field, _, column = name.partition(".")
        entry = outcome.extraction.field_metadata[field]
        for one in [row[column] for row in entry] if column else [entry]:
            one |= change
    store_outcomes(inst, [outcome], "me")
    return document


def names(found: UnsureValues) -> list[tuple[str, int | None]]:
    return [(cell.field, cell.row) for cell in found.cells]


def test_unsure_values_have_their_reasons(inst: Installation) -> None:
    parser = make_parser(inst)
    problem = {"rule": "net_plus_tax", "message": "12.50 isn't the sum"}
    changes = {
        "Total": {"confidence": 0.6, "validation": [problem]},
        "Line Items.Amount": {"confidence": 0.89},
        "Line Items.Description": {"confidence": 0.9},
    }
    document = read(inst, parser, changes)
    found = unsure_values(inst, inst.team_id, parser.id)
    assert found.cursor is None
    assert names(found) == [("Total", None), ("Line Items.Amount", 1), ("Line Items.Amount", 2)]
    total, first, _ = found.cells
    assert (total.document_id, total.document_name, total.parser_id) == (document, "doc-0.txt", parser.id)
    assert (total.value, total.confidence, total.places[0]["page"]) == (12.5, 0.6, 1)
    assert total.reasons == [LOW, "12.50 isn't the sum"]
    assert (first.value, first.reasons) == (0.0, [LOW])
    assert names(unsure_values(inst, inst.team_id, parser.id, below=0.7)) == [("Total", None)]
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"unsureBelow": 0.5}))
    sure = unsure_values(inst, inst.team_id, parser.id)
    assert [(cell.field, cell.reasons) for cell in sure.cells] == [("Total", ["12.50 isn't the sum"])]


def test_required_values_that_are_missing_are_unsure(inst: Installation) -> None:
    parser = make_parser(inst)
    update_field(inst, inst.team_id, parser.id, "Line Items", {"required": True})
    update_field(inst, inst.team_id, parser.id, "Total", {"type": "table", "columns": [{"name": "A"}]})
    update_field(inst, inst.team_id, parser.id, "Tags", {"required": True})
    said = {"rule": "required", "message": "Nothing was found"}
    read(inst, parser, {"Number": {"confidence": 0.0, "validation": [said]}}, number=None, rows=0)
    read(inst, parser, {"Number": {"validation": [said]}})
    found = unsure_values(inst, inst.team_id, parser.id)
    assert names(found) == [("Number", None), ("Line Items", None)]
    assert [[*cell.reasons] for cell in found.cells] == [
        ["'Number' is required and was not found"],
        ["'Line Items' is required and was not found"],
    ]
    assert [(cell.value, cell.confidence) for cell in found.cells] == [(None, None)] * 2


def test_what_people_set_or_confirmed_is_sure(inst: Installation) -> None:
    parser = make_parser(inst)
    corrected, confirmed = read(inst, parser), read(inst, parser)
    for status in (Status.APPROVED, Status.REJECTED):
        set_document(inst, read(inst, parser), status=status)
    set_values(inst, inst.team_id, parser.id, corrected, {"Total": 7.0, "Line Items": [{"Amount": 1.0}]})
    confirm_values(inst, inst.team_id, parser.id, confirmed)
    found = unsure_values(inst, inst.team_id, parser.id, below=1)
    assert [(cell.document_id, cell.field) for cell in found.cells] == [(corrected, "Number")]


def test_pages_have_every_value_once(any_inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    inst = any_inst
    monkeypatch.setattr(module, "_CHUNK", 2)
    monkeypatch.setattr(module, "_SECONDS", 0)
    parsers = [make_parser(inst), make_parser(inst, "Orders")]
    documents = [read(inst, parser) for parser in parsers for _ in range(3)]
    # All have come at the same time.
    moment = get_document(inst, inst.team_id, documents[0]).created_at
    for document in documents:
        set_document(inst, document, created_at=moment)
    for (ref, ids), limit in product(((parsers[0].id, documents[:3]), (None, documents)), (1, 4, 50)):
        cells: list[UnsureValue] = []
        found = UnsureValues([], None)
        while not cells or found.cursor is not None:
            found = unsure_values(inst, inst.team_id, ref, below=1, limit=limit, cursor=found.cursor)
            assert len(found.cells) <= limit
            cells += found.cells
        assert len({(cell.document_id, cell.field, cell.row) for cell in cells}) == len(cells) == 6 * len(ids)
        assert list(dict.fromkeys(cell.document_id for cell in cells)) == sorted(ids, reverse=True)


def test_a_page_reads_no_more_documents_than_it_needs_and_has_time_for(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_CHUNK", 2)
    parser = make_parser(inst)
    documents = [read(inst, parser) for _ in range(4)]
    looked_at: list[str] = []
    unsure = module._unsure

    def counted(row: Any, *rest: Any) -> Any:
        looked_at.append(row.id)
        return unsure(row, *rest)

    monkeypatch.setattr(module, "_unsure", counted)
    found = unsure_values(inst, inst.team_id, parser.id, below=1, limit=7)
    assert looked_at == documents[:-3:-1]
    assert unsure_values(inst, inst.team_id, parser.id, below=1, limit=7, cursor=found.cursor).cells
    assert looked_at == [*documents[:-3:-1], *documents[-2:-4:-1]]
    # The time may be up after any document.
    monkeypatch.setattr(module, "_SECONDS", 0)
    cursor = None
    for document in reversed(documents):
        found = unsure_values(inst, inst.team_id, parser.id, below=1, cursor=cursor)
        assert {cell.document_id for cell in found.cells} == {document}
        cursor = found.cursor
    assert unsure_values(inst, inst.team_id, parser.id, below=1, cursor=cursor) == UnsureValues([], None)


def test_a_correction_between_two_pages_hides_nothing(inst: Installation) -> None:
    parser = make_parser(inst)
    document = read(inst, parser)
    found = unsure_values(inst, inst.team_id, parser.id, below=1, limit=1)
    assert names(found) == [("Number", None)]
    set_values(inst, inst.team_id, parser.id, document, {"Number": "B-2"})
    found = unsure_values(inst, inst.team_id, parser.id, below=1, limit=1, cursor=found.cursor)
    assert names(found) == [("Total", None)]


def test_only_the_team_s_documents_are_looked_at(inst: Installation) -> None:
    other, (parser, _) = create_team(inst, "Other").id, read_document(inst)
    assert unsure_values(inst, other, below=1).cells == []
    with pytest.raises(NotFound):
        unsure_values(inst, other, parser.id)
    delete_parser(inst, inst.team_id, parser.id)
    assert unsure_values(inst, inst.team_id, below=1).cells == []


def test_other_cursors_are_refused(inst: Installation) -> None:
    undated = (f"2026_{'-' * 36}_1", f"9999-99-99_{'0' * 36}_1")
    for cursor in ("", "x", "2026-01-01T00:00:00+00:00_x_0", *undated):
        with pytest.raises(InputError, match="Unknown cursor"):
            unsure_values(inst, inst.team_id, cursor=cursor)
