from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

import docduck
from docduck.catalog.models import Document, DocumentEvent
from docduck.errors import InvalidTransition
from docduck.service.core.installation import Installation
from docduck.service.documents.status_transitions import (
    TRANSITIONS,
    Event,
    Transition,
    apply_transitions,
    next_status,
)
from docduck.statuses import Status
from tests.service.core.documents import add, make_parser, statuses

IMPORTED = re.compile(r"\bimport .*\bDocument\b|^    Document,$", re.MULTILINE)
ALLOWED = {
    # All allowed transitions
    ("new", "created", "uploading"),
    ("new", "stored", "queued"),
    ("uploading", "stored", "queued"),
    ("uploading", "transfer_failed", "failed"),
    ("queued", "claimed", "processing"),
    ("queued", "gate_refused", "skipped"),
    ("processing", "gate_refused", "skipped"),
    ("processing", "extracted", "processed"),
    ("processing", "review_owed", "in_review"),
    ("processing", "extraction_failed", "failed"),
    ("processing", "lease_lost", "queued"),
    ("in_review", "approved", "approved"),
    ("in_review", "rejected", "rejected"),
    ("approved", "review_reset", "in_review"),
    ("approved", "approval_undone", "in_review"),
    # filled in by hand
    ("failed", "filled", "processing"),
    ("rejected", "review_reset", "in_review"),
    ("processed", "reprocessed", "queued"),
    ("failed", "reprocessed", "queued"),
    ("in_review", "reprocessed", "queued"),
    ("approved", "reprocessed", "queued"),
    ("rejected", "reprocessed", "queued"),
    ("skipped", "reprocessed", "queued"),
    # beyond it: a mail that is but the cover of its attachments
    ("processing", "parted", "skipped"),
    ("processing", "split", "queued"),
    # a document of a classifier
    ("processing", "routed", "queued"),
    ("processing", "routing_skipped", "skipped"),
    # one that takes long, while others wait
    ("processing", "set_aside", "queued"),
    # one that somebody cancels, or whose parser is deleted
    ("queued", "cancelled", "failed"),
    ("processing", "cancelled", "failed"),
    # one that is filled in by hand
    ("failed", "filled", "processing"),
}


def test_the_moves_are_those_of_the_contract() -> None:
    assert {(status or "new", str(event), str(to)) for (status, event), to in TRANSITIONS.items()} == ALLOWED


@pytest.mark.parametrize("status", [None, *Status])
def test_every_other_move_is_refused_and_says_which(status: Status | None) -> None:
    for event in Event:
        wanted = {to for before, how, to in ALLOWED if (before, how) == (status or "new", event)}
        if wanted:
            assert next_status(status, event) == wanted.pop()
            continue
        with pytest.raises(InvalidTransition) as caught:
            next_status(status, event)
        assert (caught.value.status, caught.value.event) == (status, event)
        assert caught.value.message


def test_a_document_being_processed_is_not_processed_again() -> None:
    for status in (Status.UPLOADING, Status.QUEUED, Status.PROCESSING):
        with pytest.raises(InvalidTransition, match=r"^Document is already being processed$"):
            next_status(status, Event.REPROCESSED)


def test_a_move_is_written_to_the_history(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    (document_id,) = add(any_inst, parser)
    with any_inst.catalog.transaction() as session:
        step = Transition(document_id, parser.team_id, parser.id, Status.QUEUED, 1, "because", {"attempt": 1})
        apply_transitions(session, Event.CLAIMED, [step], "tester")
    with any_inst.catalog.read_session() as session:
        events = session.scalars(select(DocumentEvent).order_by(DocumentEvent.at, DocumentEvent.id)).all()
        assert [(e.event, e.from_status, e.to_status, e.reason, e.actor, e.attempt) for e in events] == [
            ("stored", None, "queued", None, "upload", 0),
            ("claimed", "queued", "processing", "because", "tester", 1),
        ]
        assert session.scalars(select(Document.attempt)).all() == [1]


def test_one_illegal_step_stops_all_of_them(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    ids = add(any_inst, parser, 2)
    steps = [
        Transition(ids[0], parser.team_id, parser.id, Status.QUEUED, 1),
        Transition(ids[1], parser.team_id, parser.id, Status.FAILED, 1),
    ]
    with pytest.raises(InvalidTransition), any_inst.catalog.transaction() as session:
        apply_transitions(session, Event.CLAIMED, steps, "tester")
    assert statuses(any_inst, ids) == ["queued", "queued"]


@pytest.mark.slow
def test_only_the_state_machine_writes_a_status() -> None:
    """No other module that knows of document rows assigns a status or passes it to an update."""
    offenders = []
    for path in Path(docduck.__file__).parent.rglob("*.py"):
        text = path.read_text()
        if path.name == "status_transitions.py" or "migrations" in path.parts or not IMPORTED.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
            written: list[Any] = []
            match node:
                case ast.Assign(targets=targets):
                    named = [
                        one for one in targets if isinstance(one, ast.Attribute) and one.attr == "status"
                    ]
                    written = [one for one in named if ast.unparse(one.value) not in ("self", "stage")]
                case ast.Call(func=ast.Attribute(attr="values") as called):
                    if "update(WebhookDelivery)" not in ast.unparse(called):
                        written = [one for one in node.keywords if one.arg == "status"]
            offenders += [f"{path.name}:{one.lineno}" for one in written]
    assert offenders == []
