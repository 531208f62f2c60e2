from __future__ import annotations

import datetime as dt
import threading

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.exc import OperationalError

from docduck import clock
from docduck.catalog.models import IdempotentRequest
from docduck.errors import Conflict, InputError, Transient
from docduck.ids import new_id
from docduck.owner import this_process
from docduck.service.accounts.accounts import create_team
from docduck.service.accounts.keys import create_key
from docduck.service.core.installation import Installation
from docduck.service.core.started_request import (
    KeyedRequest,
    StartedRequest,
    earlier_effect,
    processing,
    record_effect,
)
from docduck.service.documents import reprocessing
from docduck.service.requests import idempotency
from docduck.service.requests.idempotency import Replay, abandon, finish, keep, start
from docduck.service.upkeep.expired_rows import delete_expired_rows
from docduck.service.upkeep.housekeeping import sweep
from tests.catalog_outage import catalog_outage
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, complete, make_parser, statuses
from tests.service.processing.threads import at_once


@pytest.fixture
def key(any_inst: Installation) -> str:
    return create_key(any_inst, any_inst.team_id, "ci").key.id


def started(inst: Installation, key: str, name: str = "order-1", fingerprint: str = "f") -> StartedRequest:
    found = start(inst, inst.team_id, key, name, fingerprint)
    assert isinstance(found, StartedRequest)
    return found


def kept(inst: Installation) -> int:
    with inst.catalog.read_session() as session:
        return session.scalar(select(func.count()).select_from(IdempotentRequest)) or 0


def later(monkeypatch: pytest.MonkeyPatch, **delta: float) -> None:
    moment = clock.now() + dt.timedelta(**delta)
    monkeypatch.setattr(clock, "now", lambda: moment)


def test_a_request_that_comes_again_gets_the_first_answer(any_inst: Installation, key: str) -> None:
    begun = started(any_inst, key)
    finish(any_inst, begun, 201, {"content-type": "application/json"}, b'{"id": "\xc3\xa9"}')
    for _ in range(2):
        assert start(any_inst, any_inst.team_id, key, "order-1", "f") == Replay(
            201, {"content-type": "application/json"}, b'{"id": "\xc3\xa9"}'
        )
    assert isinstance(start(any_inst, any_inst.team_id, key, "order-2", "f"), StartedRequest)
    # Names of other keys and teams are others.
    sibling = create_key(any_inst, any_inst.team_id, "sibling").key.id
    other = create_team(any_inst, "Others")
    stranger = create_key(any_inst, other.id, "stranger").key.id
    assert isinstance(start(any_inst, any_inst.team_id, sibling, "order-1", "f"), StartedRequest)
    assert isinstance(start(any_inst, other.id, stranger, "order-1", "f"), StartedRequest)


def test_a_request_in_progress_is_not_begun_again(any_inst: Installation, key: str) -> None:
    begun = started(any_inst, key)
    with any_inst.catalog.read_session() as session:
        row = session.scalars(select(IdempotentRequest)).one()
        assert "order" not in repr(vars(row))
        assert len(row.name_sha256) == 64
    with pytest.raises(Conflict, match="A request with this Idempotency-Key is still in progress"):
        start(any_inst, any_inst.team_id, key, "order-1", "f")
    abandon(any_inst, begun)
    begun = started(any_inst, key)
    for _ in range(2):
        with pytest.raises(InputError, match="used for another request"):
            start(any_inst, any_inst.team_id, key, "order-1", "other")
        finish(any_inst, begun, 200, {}, b"done")
    assert start(any_inst, any_inst.team_id, key, "order-1", "f") == Replay(200, {}, b"done")


def test_failures_and_large_answers_that_changed_nothing_are_not_kept(
    make_installation: MakeInstallation,
) -> None:
    inst = make_installation(idempotency_max_bytes=100)
    key = create_key(inst, inst.team_id, "ci").key.id
    for status, size, is_read_only in ((500, 1, False), (503, 1, False), (400, 101, False), (200, 101, True)):
        finish(inst, started(inst, key), status, {}, b"x" * size, is_read_only=is_read_only)
        assert kept(inst) == 0, status
    finish(inst, started(inst, key), 400, {}, b"x" * 100)
    assert start(inst, inst.team_id, key, "order-1", "f") == Replay(400, {}, b"x" * 100)
    # A change with a large answer is not made again.
    finish(inst, started(inst, key, "order-2"), 200, {}, b"x" * 101)
    for _ in range(2):
        with pytest.raises(Conflict, match=r"too large to store: .* over 100 bytes"):
            start(inst, inst.team_id, key, "order-2", "f")
    with pytest.raises(InputError, match="used for another request"):
        start(inst, inst.team_id, key, "order-2", "other")


def test_what_a_dead_process_began_is_taken_over(
    any_inst: Installation, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    *who, _started, token = this_process().split("/")
    dead = "/".join([*who, "0.00", token])
    with monkeypatch.context() as patch:
        patch.setattr(idempotency, "this_process", lambda: dead)
        first = started(any_inst, key)
    second = started(any_inst, key)
    # Whoever lost it can neither answer it nor take it away.
    finish(any_inst, first, 200, {}, b"late")
    abandon(any_inst, first)
    with pytest.raises(Conflict):
        start(any_inst, any_inst.team_id, key, "order-1", "f")
    finish(any_inst, second, 200, {}, b"right")
    assert start(any_inst, any_inst.team_id, key, "order-1", "f") == Replay(200, {}, b"right")


def test_a_request_of_another_host_is_taken_over_when_it_is_held_no_more(
    any_inst: Installation, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = started_elsewhere(any_inst, key, monkeypatch)
    end_leases(any_inst)
    keep(any_inst, begun)
    with pytest.raises(Conflict, match="still in progress"):
        start(any_inst, any_inst.team_id, key, "order-1", "f")
    end_leases(any_inst)
    second = started(any_inst, key)
    abandon(any_inst, second)
    keep(any_inst, begun)
    assert kept(any_inst) == 0


def test_a_request_whose_end_could_not_be_stored_is_free_at_once(any_inst: Installation, key: str) -> None:
    begun = started(any_inst, key)
    with catalog_outage(1):
        abandon(any_inst, begun)
    again = started(any_inst, key)
    # It made something, but its response is lost.
    do(any_inst, again, documents=["one"])
    with catalog_outage(1):
        finish(any_inst, again, 201, {}, b"made")
    assert started(any_inst, key).effect == {"documents": ["one"]}


def test_a_start_whose_commit_is_not_answered_is_free_at_once(any_inst: Installation, key: str) -> None:
    with catalog_outage(1, "after"), pytest.raises(OperationalError):
        started(any_inst, key)
    assert kept(any_inst) == 1
    started(any_inst, key)


def test_what_a_request_did_is_found_when_it_comes_again(any_inst: Installation, key: str) -> None:
    first = started(any_inst, key)
    do(any_inst, first, folder="f-1")
    abandon(any_inst, first)
    second = started(any_inst, key)
    with processing(KeyedRequest(second)):
        assert earlier_effect() == {"folder": "f-1"}
    assert earlier_effect() is None, "outside of the request"
    with pytest.raises(InputError, match="used for another request"):
        start(any_inst, any_inst.team_id, key, "order-1", "other")
    finish(any_inst, second, 200, {}, b"made")
    assert start(any_inst, any_inst.team_id, key, "order-1", "f") == Replay(200, {}, b"made")


def test_who_lost_a_request_or_did_it_already_commits_nothing(
    any_inst: Installation, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = started_elsewhere(any_inst, key, monkeypatch)
    end_leases(any_inst)
    mine = started(any_inst, key)
    do(any_inst, mine)
    for late in (lost, mine):
        with pytest.raises(Transient, match="begun again meanwhile"):
            do(any_inst, late, late=True)
    abandon(any_inst, mine)
    assert started(any_inst, key).effect == {}


def test_without_a_key_nothing_is_recorded(any_inst: Installation) -> None:
    with any_inst.catalog.transaction() as session:
        record_effect(session, folder="f-1")
    with processing(KeyedRequest()):
        assert earlier_effect() is None
    assert kept(any_inst) == 0


def started_elsewhere(inst: Installation, key: str, monkeypatch: pytest.MonkeyPatch) -> StartedRequest:
    """Return a request that another host is processing."""
    elsewhere = "/".join(["another-host", *this_process().split("/")[1:]])
    with monkeypatch.context() as patch:
        patch.setattr(idempotency, "this_process", lambda: elsewhere)
        return started(inst, key)


def end_leases(inst: Installation) -> None:
    """Let the time be over for which requests are held."""
    with inst.catalog.transaction() as session:
        session.execute(update(IdempotentRequest).values(leased_until=clock.now() - dt.timedelta(days=1)))


def do(inst: Installation, begun: StartedRequest, **effect: object) -> None:
    """Commit what a request does."""
    with processing(KeyedRequest(begun)), inst.catalog.transaction() as session:
        record_effect(session, **effect)


def test_an_answer_is_kept_for_a_day(
    any_inst: Installation, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(any_inst, started(any_inst, key, "old"), 200, {}, b"old")
    finish(any_inst, started(any_inst, key, "again"), 200, {}, b"again")
    later(monkeypatch, hours=23.9)
    assert isinstance(start(any_inst, any_inst.team_id, key, "old", "f"), Replay)
    finish(any_inst, started(any_inst, key, "new"), 200, {}, b"new")
    later(monkeypatch, hours=0.2)
    # Its time is over before it is swept, and then the name is free for another request.
    started(any_inst, key, "again", "another")
    assert delete_expired_rows(any_inst)["idempotent_requests"] == 1
    assert kept(any_inst) == 2
    later(monkeypatch, hours=25)
    sweep(any_inst)
    assert kept(any_inst) == 0


def test_of_many_at_once_one_does_the_work(any_inst: Installation, key: str) -> None:
    found: list[str] = []
    together = threading.Barrier(8)

    def ask() -> None:
        together.wait()
        try:
            found.append(type(start(any_inst, any_inst.team_id, key, "order-1", "f")).__name__)
        except Conflict:
            found.append("Conflict")

    at_once(*[ask] * 8)
    assert sorted(found) == ["Conflict"] * 7 + ["StartedRequest"]


def test_documents_are_queued_in_portions_under_one_key(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if those of the first portion were changed by others meanwhile."""
    parser = make_parser(inst)
    ids = add(inst, parser, 2)
    complete(inst, parser)
    begun = started(inst, create_key(inst, inst.team_id, "ci").key.id)
    monkeypatch.setattr(reprocessing, "chunks", lambda found: [[new_id()], found])
    with processing(KeyedRequest(begun)):
        assert reprocessing.reprocess_parser(inst, inst.team_id, parser.id) == 2
    assert statuses(inst, ids) == ["queued", "queued"]
