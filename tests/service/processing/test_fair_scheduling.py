from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from docduck.ids import new_id
from docduck.service.accounts.accounts import create_team, limit_team
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import DurationClass
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.durations import (
    SLOW_SECONDS,
    DurationEstimates,
    keep_estimates,
    kept_estimates,
)
from docduck.service.processing.fair_scheduling import FairScheduler
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.workers.fair_queue import FairQueue
from tests.service.core.documents import upload


def test_time_is_shared_not_documents() -> None:
    shares: FairQueue[str] = FairQueue()
    given: Counter[str] = Counter()
    for _ in range(1000):
        key = shares.next(["slow", "quick"])
        seconds = 10.0 if key == "slow" else 0.1
        shares.charge(key, seconds)
        given[key] += seconds  # type: ignore[assignment]
    assert abs(given["slow"] - given["quick"]) <= 10.1
    shares, turns = FairQueue(), []
    for _ in range(100):
        shares.charge(shares.next(["a"]), 1.0)
    for _ in range(10):
        turns.append(shares.next(["a", "b"]))
        shares.charge(turns[-1], 1.0)
    assert Counter(turns) == {"a": 5, "b": 5}, "who was away is owed nothing"


def test_teams_share_first_and_then_their_parsers() -> None:
    turns = FairScheduler()
    assert turns.choose({}, {}, 5) == {}
    waiting = {f"busy {number}": "one team" for number in range(9)} | {"lone": "another"}
    chosen = turns.choose(waiting, dict.fromkeys(waiting, 1.0), 18)
    assert chosen == {"lone": 9} | {f"busy {number}": 1 for number in range(9)}
    # What took longer than expected is made up for.
    turns, waiting, expected = FairScheduler(), {"a": "t", "b": "t"}, {"a": 1.0, "b": 1.0}
    assert turns.choose(waiting, expected, 2) == {"a": 1, "b": 1}
    turns.charge("t", "a", 9.0)
    assert turns.choose(waiting, expected, 10) == {"b": 9, "a": 1}


def test_teams_share_by_their_weights_and_none_starves() -> None:
    turns = FairScheduler()
    turns.weights = {"large": 4, "huge": 1000}
    waiting = {"a": "large", "b": "small"}
    assert turns.choose(waiting, dict.fromkeys(waiting, 2.0), 50) == {"a": 40, "b": 10}
    late = {"c": "huge", "d": "late"}
    assert turns.choose(late, dict.fromkeys(late, 2.0), 2002) == {"c": 2000, "d": 2}


def test_a_small_team_is_read_while_a_large_one_has_more_than_can_be_read(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = create_team(inst, "Small").id
    limit_team(inst, inst.team_id, weight=1000)
    for team_id, count in ((inst.team_id, 20), (small, 1)):
        parser = create_parser(inst, team_id, NewParser(name="Notes"))
        for number in range(count):
            upload(inst, team_id, parser.id, b"%d" % number, f"{number}.txt")
    choose, seen = FairScheduler.choose, list[Mapping[str, int]]()

    def noted(turns: FairScheduler, *args: Any) -> dict[str, int]:
        seen.append(turns.weights)
        return choose(turns, *args)

    monkeypatch.setattr(FairScheduler, "choose", noted)
    process_queue(inst, RunOptions(max_documents=8))
    assert seen[0] == {inst.team_id: 1000}
    assert [row.status for row in list_documents(inst, small).rows] == ["processed"]


def test_the_newest_come_first_for_as_long_as_slow_ones_took() -> None:
    turns = FairScheduler()
    assert not turns.is_newest_first("p")
    turns.record_slow("p", 10)
    assert turns.is_newest_first("p")
    assert not turns.is_newest_first("q")
    turns.record_done("p", 9)
    assert turns.is_newest_first("p")
    turns.record_done("p", 5)
    assert not turns.is_newest_first("p")
    for _ in range(100):
        turns.record_slow("p", 10)
    turns.record_done("p", 60)
    assert not turns.is_newest_first("p"), "no queue is read from its end for hours"


def test_documents_like_slow_ones_are_slow() -> None:
    pace = DurationEstimates()
    scans, mails = (
        DurationClass.of("p", "application/pdf", 5_000_000),
        DurationClass.of("p", "message/rfc822", 5_000_000),
    )
    pace.record(scans, 30)
    assert pace.is_slow(scans)
    assert pace.is_slow(DurationClass.of("p", "application/pdf", 8_000_000))
    assert not pace.is_slow(DurationClass.of("p", "application/pdf", 50_000))
    assert not pace.is_slow(DurationClass.of("q", "application/pdf", 5_000_000))
    assert not pace.is_slow(mails)
    for _ in range(10):
        pace.record(scans, 1)
    assert not pace.is_slow(scans), "what is quick by now is not slow for ever"
    for size in (0, 1, 2, 1000, 1024, 4095, 4096):
        same_class = DurationClass.of("p", "x", size)
        low, high = same_class.sizes
        assert low <= size <= high
        assert DurationClass.of("p", "x", low) == DurationClass.of("p", "x", high) == same_class


def test_estimates_are_kept_for_other_processes(inst: Installation) -> None:
    target_id, other = new_id(), new_id()
    quick, slow = DurationClass.of(target_id, "x", 10), DurationClass.of(target_id, "y", 10)
    pace = DurationEstimates()
    keep_estimates(inst, pace)
    pace.record(quick, 2)
    pace.record(slow, 60)
    keep_estimates(inst, pace)
    kept = kept_estimates(inst)
    assert (kept.expected(target_id), kept.expected(target_id, slow=True)) == (2, 60)
    assert (kept.expected(other), kept.expected(other, slow=True)) == (1, SLOW_SECONDS)
    kept.record(quick, 4)
    keep_estimates(inst, kept)
    assert 2 < kept_estimates(inst).expected(target_id) < 4
    assert kept_estimates(inst).changed() == {}


def test_what_a_parser_s_documents_take() -> None:
    pace = DurationEstimates()
    assert pace.expected("p") == 1.0
    for seconds in (2.0, 2.0, 300.0):
        pace.record(DurationClass.of("p", "x", 10), seconds)
    assert pace.expected("p") == 2.0
    assert pace.typical_seconds > 1.0
