from __future__ import annotations

import datetime as dt

import pytest

from docduck import clock
from docduck.catalog import database
from docduck.errors import Transient
from docduck.service.core.installation import Installation
from docduck.service.documents.queries import reading_progress as module
from docduck.service.documents.queries.reading_progress import reading_progress
from tests.service.core.documents import add, complete, make_parser, set_document


def test_the_time_left_is_that_of_what_was_read_since_the_first_was_queued(any_inst: Installation) -> None:
    inst, parser, now = any_inst, make_parser(any_inst), clock.now()

    def ago(**since: float) -> dt.datetime:
        return now - dt.timedelta(**since)

    def changed(ids: list[str], **moments: dt.datetime) -> None:
        for one in ids:
            set_document(inst, one, updated_at=now, **moments)

    earlier, read = add(inst, parser, 3, "earlier"), add(inst, parser, 2, "read")
    complete(inst, parser)
    changed(earlier, queued_at=ago(hours=3), processed_at=ago(hours=2))
    changed(read, queued_at=ago(seconds=20), processed_at=ago(seconds=5))
    changed(add(inst, parser, 4, "waiting"), queued_at=ago(seconds=20))
    found = reading_progress(inst, inst.team_id)
    assert (found.total, found.done, found.failed) == (6, 2, 0)
    assert found.seconds_left is not None and 40 <= found.seconds_left < 110
    assert reading_progress(inst, inst.team_id, since=ago(hours=4)).total == 9
    assert reading_progress(inst, inst.team_id, since=ago(days=2)).total == 6


def test_counting_has_a_time_limit(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    add(inst, make_parser(inst))
    monkeypatch.setattr(module, "SEARCH_SECONDS", 0)
    monkeypatch.setattr(database, "_STEPS", 1)
    with pytest.raises(Transient, match="takes too long"):
        reading_progress(inst, inst.team_id)
