"""Undoing corrections and confirmations, the last one first."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from sqlalchemy import func, select, update

from docduck import clock
from docduck.catalog.models import FormerResult
from docduck.errors import Conflict
from docduck.service.core.installation import Installation
from docduck.service.corrections import former_results
from docduck.service.corrections.corrections import confirm_values, set_values, undo_change
from docduck.service.corrections.former_results import may_undo
from docduck.service.corrections.lessons import list_lessons
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.parsers.parsers import ParserView
from docduck.service.processing.processing import process_queue
from docduck.service.search.query import DocumentQuery
from docduck.service.upkeep.expired_rows import delete_expired_rows
from tests.service.core.documents import add, complete, make_parser, upload
from tests.service.core.people import make_member


class Desk:
    """A document that Ann works on."""

    def __init__(self, inst: Installation) -> None:
        self.inst, self.parser, self.ann = inst, make_parser(inst), make_member(inst)
        (self.id,) = add(inst, self.parser)
        complete(inst, self.parser)

    @property
    def ids(self) -> tuple[Installation, str, str, str]:
        return self.inst, self.inst.team_id, self.parser.id, self.id

    def view(self) -> DocumentView:
        return get_document(self.inst, self.inst.team_id, self.id)

    def set(self, reviewer: str | None = None, **data: Any) -> None:
        set_values(*self.ids, data, reviewer_id=reviewer or self.ann)

    def undo(self, reviewer: str | None = None) -> DocumentView:
        return undo_change(*self.ids, reviewer_id=reviewer or self.ann)

    def kept(self) -> int:
        with self.inst.catalog.read_session() as session:
            return session.scalar(select(func.count()).select_from(FormerResult)) or 0


def found(inst: Installation, parser: ParserView, text: str) -> int:
    return len(find_documents(inst, inst.team_id, parser.id, DocumentQuery(q=text, in_values=True)).rows)


def test_changes_are_undone_the_last_one_first(any_inst: Installation) -> None:
    desk = Desk(any_inst)
    states = [desk.view()]
    rows = [{"Description": "wibble", "Amount": 7.0}]
    for change in ({"Number": "WIBBLE-1"}, {"Line Items": rows}, None):
        if change is None:
            confirm_values(*desk.ids, reviewer_id=desk.ann)
        else:
            desk.set(**change)
        states.append(desk.view())
    assert found(any_inst, desk.parser, "WIBBLE-1") == 1
    for state in reversed(states[:-1]):
        back = desk.undo()
        assert (back.data, back.field_metadata, back.confidence) == (
            state.data,
            state.field_metadata,
            state.confidence,
        )
    assert found(any_inst, desk.parser, "WIBBLE-1") == 0 and desk.kept() == 0
    assert [entry.event for entry in desk.view().history][-3:] == ["undone"] * 3
    with pytest.raises(Conflict, match="nothing that you can undo"):
        desk.undo()
    # What was undone can be done again, and undone.
    desk.set(Number="WIBBLE-2")
    assert desk.undo().data == states[0].data


def test_only_the_last_change_is_undone_by_who_made_it(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, bob = Desk(inst), make_member(inst, "Bob")
    desk.set(Number="B-1")
    assert may_undo(inst, desk.id, desk.ann) and not may_undo(inst, desk.id, bob)
    desk.set(bob, Total=3)
    with pytest.raises(Conflict, match="nothing that you can undo"):
        desk.undo()
    assert desk.undo(bob).data["Number"] == "B-1"
    assert desk.undo().data["Number"] != "B-1"
    monkeypatch.setattr(former_results, "MOST", 2)
    for number in range(4):
        desk.set(Total=number)
    assert desk.kept() == 2
    with inst.catalog.transaction() as session:
        session.execute(update(FormerResult).values(replaced_at=clock.now() - dt.timedelta(days=8)))
    assert delete_expired_rows(inst)["former_results"] == 2


def test_what_an_undone_correction_taught_is_forgotten(inst: Installation) -> None:
    desk = Desk(inst)
    text = b"Welcome to the harbour\nNumber: A-1\nOther mark: B-1\n"
    desk.id = upload(inst, inst.team_id, desk.parser.id, text, "a.txt")
    process_queue(inst)
    desk.set(Number="B-1")
    process_pending(inst)
    assert list_lessons(inst, inst.team_id, desk.parser.id).rows
    desk.undo()
    process_pending(inst)
    assert not list_lessons(inst, inst.team_id, desk.parser.id).rows
