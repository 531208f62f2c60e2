from __future__ import annotations

import datetime as dt
import os
import socket
import subprocess
import sys
import uuid
from collections import Counter
from functools import partial

import pytest
from sqlalchemy import event, select, update

from docduck import clock
from docduck.catalog.models import Document
from docduck.errors import GivenUp
from docduck.owner import is_dead, this_process
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import Claim, DurationClass
from docduck.service.documents.reprocessing import reprocess
from docduck.service.processing.document_queue import (
    ClaimRequest,
    backlogs,
    claim,
    expect_slow,
    heartbeat,
    release,
    release_lost,
    set_aside,
    targets_with_work,
)
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.results import store_outcomes
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, extraction, make_parser, statuses
from tests.service.processing.threads import at_once


def test_the_oldest_or_the_newest_come_first_as_many_as_wished_and_each_once(any_inst: Installation) -> None:
    parser, other, empty = (make_parser(any_inst, name) for name in ("One", "Other", "Empty"))
    ids = add(any_inst, parser, 7)
    add(any_inst, other, 2)
    work = backlogs(any_inst, any_inst.team_id)[parser.id]
    assert (work.queued, work.expired) == (7, 0)
    assert work.oldest is not None
    assert clock.now() - work.oldest < dt.timedelta(minutes=1)
    assert backlogs(any_inst, "00000000-0000-7000-8000-000000000000") == {}
    newest = claim(any_inst, [ClaimRequest(parser.id, 2, newest_first=True)], "a")
    assert {one.document_id for one in newest} == set(ids[5:])
    first = claim(any_inst, [ClaimRequest(parser.id, 3)], "a")
    assert [one.document_id for one in first] == ids[:3], "of the asked parser alone"
    second = claim(any_inst, [ClaimRequest(one.id, 10) for one in (parser, other, empty)], "b")
    assert Counter(one.parser_id for one in second) == {parser.id: 2, other.id: 2}
    assert [one.document_id for one in second if one.parser_id == parser.id] == ids[3:5]
    assert claim(any_inst, [ClaimRequest(parser.id, 10)], "c") == []
    assert statuses(any_inst, ids) == ["processing"] * 7
    assert {one.attempt for one in first + second} == {1}


@pytest.mark.postgres
def test_claimed_documents_are_locked_in_the_order_of_all_code(
    make_installation: MakeInstallation, postgres_catalog: str
) -> None:
    inst = make_installation(catalog_url=postgres_catalog)
    parser = make_parser(inst)
    add(inst, parser, 4)
    statements: list[str] = []
    claims = claim(inst, [ClaimRequest(parser.id, 3)], "a")
    event.listen(inst.catalog.engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    store_outcomes(inst, [ExtractionOutcome(one, parser, extraction()) for one in claims[:1]], "a")
    set_aside(inst, "a", claims[1:2], "slow")
    release(inst, "a", "over")
    locks = [text for text in statements if "FROM documents" in text and text.endswith("FOR UPDATE")]
    assert len(locks) == 3
    assert all("ORDER BY documents.id" in text for text in locks)


def test_what_takes_long_waits_in_a_queue_of_its_own(any_inst: Installation) -> None:
    parser, other = make_parser(any_inst, "One"), make_parser(any_inst, "Other")
    ids = add(any_inst, parser, 3)
    add(any_inst, other)
    (held,) = claim(any_inst, [ClaimRequest(parser.id, 1)], "a")
    set_aside(any_inst, "b", [held], "it takes long")
    assert statuses(any_inst, ids) == ["processing", "queued", "queued"], "it is held by another"
    set_aside(any_inst, "a", [held], "it takes long")
    assert statuses(any_inst, ids) == ["queued"] * 3
    assert (backlogs(any_inst)[parser.id].queued, backlogs(any_inst)[parser.id].slow) == (3, 1)
    assert set(targets_with_work(any_inst)) == {parser.id, other.id}
    assert set(targets_with_work(any_inst, slow=True)) == {parser.id}
    assert [one.document_id for one in claim(any_inst, [ClaimRequest(parser.id, 9)], "a")] == ids[1:]
    (again,) = claim(any_inst, [ClaimRequest(parser.id, 9, slow=True)], "a")
    assert (again.document_id, again.attempt, again.slow) == (ids[0], 2, True)
    assert targets_with_work(any_inst, slow=True) == {}
    store_outcomes(any_inst, [ExtractionOutcome(again, parser, extraction(), slow=True)], "a")
    reprocess(any_inst, any_inst.team_id, [ids[0]])
    assert set(targets_with_work(any_inst, slow=True)) == {parser.id}, "it is known to take long"


def test_documents_like_a_slow_one_are_expected_to_be_slow(any_inst: Installation) -> None:
    parser, other = make_parser(any_inst, "One"), make_parser(any_inst, "Other")
    add(any_inst, parser, 4)
    add(any_inst, other, 4)
    (one,) = claim(any_inst, [ClaimRequest(parser.id, 1)], "a")
    expect_slow(any_inst, one.duration_class)
    found = backlogs(any_inst)
    assert (found[parser.id].queued, found[parser.id].slow, found[other.id].slow) == (3, 3, 0)
    larger = DurationClass.of(parser.id, one.content_type, one.size * 1000)
    release(any_inst, "a", "over")
    expect_slow(any_inst, larger)
    assert backlogs(any_inst)[parser.id].slow == 3


def test_claimers_at_the_same_time_never_get_the_same_document(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    ids = add(any_inst, parser, 36)
    got: list[Claim] = []

    def work(name: str) -> None:
        while claims := claim(any_inst, [ClaimRequest(parser.id, 4)], name):
            got.extend(claims)

    at_once(*(partial(work, f"worker {i}") for i in range(4)))
    assert sorted(one.document_id for one in got) == sorted(ids)


def test_a_lease_lasts_as_long_as_is_set_and_is_renewed(make_installation: MakeInstallation) -> None:
    inst = make_installation(lease_seconds=90)
    (document_id,) = add(inst, parser := make_parser(inst))

    def left() -> float:
        with inst.catalog.read_session() as session:
            ends = session.scalars(select(Document.lease_expires_at).where(Document.id == document_id)).one()
        assert ends is not None
        return (ends - clock.now()).total_seconds()

    claim(inst, [ClaimRequest(parser.id, 1)], "a")
    assert 30 < left() <= 90
    with inst.catalog.transaction() as session:
        session.execute(update(Document).values(lease_expires_at=clock.now()))
    heartbeat(inst, "a")
    assert 30 < left() <= 90


def test_a_lease_that_ran_out_is_queued_again_and_its_late_result_is_dropped(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    (document_id,) = add(any_inst, parser)
    (late,) = claim(any_inst, [ClaimRequest(parser.id, 1)], "elsewhere")
    _expire(any_inst, document_id)
    assert backlogs(any_inst)[parser.id].expired == 1
    assert release_lost(any_inst, "b") == 1
    assert statuses(any_inst, [document_id]) == ["queued"]
    (again,) = claim(any_inst, [ClaimRequest(parser.id, 1)], "b")
    assert again.attempt == 2
    assert (
        store_outcomes(any_inst, [ExtractionOutcome(late, parser, extraction("late"))], "elsewhere").stored
        == []
    )
    reading = ExtractionOutcome(again, parser, extraction("right"))
    assert store_outcomes(any_inst, [reading], "b").stored == [reading]
    assert store_outcomes(any_inst, [reading], "b").stored == [reading], "told again, stored once"
    assert statuses(any_inst, [document_id]) == ["processed"]


def test_a_heartbeat_keeps_the_claim(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    ids = add(any_inst, parser, 2)
    claim(any_inst, [ClaimRequest(parser.id, 1)], "a")
    claim(any_inst, [ClaimRequest(parser.id, 1)], "b")
    for document_id in ids:
        _expire(any_inst, document_id)
    heartbeat(any_inst, "a")
    release_lost(any_inst, "c")
    assert statuses(any_inst, ids) == ["processing", "queued"]


@pytest.mark.postgres
def test_machines_whose_clocks_differ_keep_their_claims(
    make_installation: MakeInstallation, postgres_catalog: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(catalog_url=postgres_catalog)
    parser = make_parser(inst)
    ids = add(inst, parser, 2)
    real = clock.now
    for owner, apart in (("fast", 120), ("slow", -120)):
        monkeypatch.setattr("docduck.clock.now", lambda apart=apart: real() + dt.timedelta(seconds=apart))
        assert len(claim(inst, [ClaimRequest(parser.id, 1)], owner)) == 1
        heartbeat(inst, owner)
        for theirs in (120, 0, -120):
            monkeypatch.setattr(
                "docduck.clock.now", lambda apart=theirs: real() + dt.timedelta(seconds=apart)
            )
            assert release_lost(inst, "another") == 0
    assert statuses(inst, ids) == ["processing"] * 2


def test_what_a_dead_process_held_is_free_at_once(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    ids = add(any_inst, parser, 2)
    *who, _started, token = this_process().split("/")
    claim(any_inst, [ClaimRequest(parser.id, 1)], "/".join([*who, "0.00", token]))
    claim(any_inst, [ClaimRequest(parser.id, 1)], this_process())
    assert backlogs(any_inst)[parser.id].expired == 1
    assert release_lost(any_inst, "c") == 1
    assert statuses(any_inst, ids) == ["queued", "processing"]


def test_owners_that_can_not_be_seen_from_here_are_not_called_dead() -> None:
    mine = this_process()
    assert not is_dead(mine)
    host, space, pid, start, token = mine.split("/")
    assert pid == str(os.getpid())
    assert not is_dead("/".join(("another-host", space, "1", start, token)))
    assert not is_dead("somebody")
    assert is_dead("/".join((host, space, pid, "0.00", token)))
    # No process has this id.
    gone = (space, "4194305", start, token)
    assert is_dead("/".join((host, *gone)))
    for other in (f"{socket.gethostname()}.{uuid.uuid4()}", socket.gethostname()):
        assert not is_dead("/".join((other, *gone))), "another machine may have the same host name"
    program = "from docduck.owner import this_process; print(this_process())"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert is_dead(ended.stdout.strip())


def test_a_document_that_loses_every_run_is_given_up(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_lost_leases=2)
    parser = make_parser(inst)
    (document_id,) = add(inst, parser)
    for attempt in range(1, 4):
        (one,) = claim(inst, [ClaimRequest(parser.id, 1)], "a")
        assert one.attempt == attempt
        assert release(inst, "a", "stopped") == 1
    with inst.catalog.read_session() as session:
        row = session.get_one(Document, document_id)
        assert (row.status, row.lost_leases, row.claimed_by) == ("queued", 0, None), "it was given back"
    for _ in range(3):
        assert claim(inst, [ClaimRequest(parser.id, 1)], "a")
        _expire(inst, document_id)
        release_lost(inst, "b")
    with inst.catalog.read_session() as session:
        row = session.get_one(Document, document_id)
        assert (row.status, row.error) == ("failed", GivenUp().message)
    assert claim(inst, [ClaimRequest(parser.id, 1)], "a") == []


def _expire(inst: Installation, document_id: str) -> None:
    with inst.catalog.transaction() as session:
        past = clock.now() - dt.timedelta(seconds=1)
        session.execute(update(Document).where(Document.id == document_id).values(lease_expires_at=past))
