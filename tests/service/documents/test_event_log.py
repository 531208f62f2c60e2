"""Events are listed in their order, each once, whether a webhook subscribes to them or not."""

from __future__ import annotations

import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import update

from docduck import clock
from docduck.catalog.models import FiredEvent
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.event_log import EventPage, list_events
from docduck.service.documents.webhook_outbox import fire
from docduck.service.upkeep.expired_rows import delete_expired_rows
from tests.service.core.documents import add, add_read, make_parser
from tests.service.core.people import make_team


def facts(page: EventPage) -> list[tuple[str, str]]:
    return [(row.event, row.document_id) for row in page.rows]


def test_events_are_listed_in_their_order(any_inst: Installation) -> None:
    inst, team = any_inst, any_inst.team_id
    began = clock.now()
    nothing = list_events(inst, team)
    assert (nothing.rows, nothing.has_more) == ([], False)
    parser, other = make_parser(inst), make_parser(inst, "Others")
    add_read(inst, make_parser(inst, "Strangers", make_team(inst)))
    first = add_read(inst, parser)
    set_values(inst, team, parser.id, first, {"Total": 13})
    second = add_read(inst, other)
    expected = [
        ("document.processed", first),
        ("document.exported", first),
        ("document.updated", first),
        ("document.processed", second),
        ("document.exported", second),
    ]
    whole = list_events(inst, team)
    assert facts(whole) == expected and not whole.has_more
    assert [row.parser_id for row in whole.rows] == [parser.id] * 3 + [other.id] * 2
    assert began <= whole.rows[0].created_at <= whole.rows[-1].created_at <= clock.now()
    assert len({row.id for row in whole.rows}) == 5
    assert facts(list_events(inst, team, cursor=nothing.next_cursor)) == expected
    two = list_events(inst, team, limit=2)
    assert facts(two) == expected[:2] and two.has_more
    rest = list_events(inst, team, cursor=two.next_cursor, limit=3)
    assert facts(rest) == expected[2:] and not rest.has_more
    assert list_events(inst, team, cursor=rest.next_cursor).rows == []
    again = list_events(inst, team, cursor=rest.next_cursor).next_cursor
    delete_documents(inst, team, [first])
    third = add_read(inst, parser, "late")
    assert facts(list_events(inst, team, cursor=again)) == [
        ("document.processed", third),
        ("document.exported", third),
    ]
    assert facts(list_events(inst, team))[:3] == expected[:3], "those of deleted documents stay"
    assert facts(list_events(inst, team, only=[other.id])) == expected[3:]
    assert facts(list_events(inst, team, event="document.updated")) == expected[2:3]
    assert list_events(inst, team, since=clock.now() + dt.timedelta(seconds=1)).rows == []
    assert len(list_events(inst, team, since=began).rows) == 7
    for wrong in ({"cursor": "x"}, {"event": "document.eaten"}):
        with pytest.raises(InputError) as caught:
            list_events(inst, team, **wrong)  # type: ignore[arg-type]
        assert [caught.value.path] == [*wrong]


def test_events_are_kept_for_30_days(any_inst: Installation) -> None:
    inst, team = any_inst, any_inst.team_id
    parser = make_parser(inst)
    old, young = add_read(inst, parser, "old"), add_read(inst, parser, "young")
    page = list_events(inst, team, limit=2)
    with inst.catalog.transaction() as session:
        for document_id, days in ((old, 30.01), (young, 29.99)):
            mine = update(FiredEvent).where(FiredEvent.document_id == document_id)
            session.execute(mine.values(created_at=clock.now() - dt.timedelta(days=days)))
    expected = [("document.processed", young), ("document.exported", young)]
    assert facts(list_events(inst, team)) == expected, "also while the others are not deleted yet"
    assert delete_expired_rows(inst)["fired_events"] == 2
    assert (
        facts(list_events(inst, team)) == expected == facts(list_events(inst, team, cursor=page.next_cursor))
    )
    moment = clock.now() - dt.timedelta(days=30, seconds=1)
    with pytest.raises(InputError, match="listed for 30 days, and some after this place are gone"):
        list_events(inst, team, since=moment)


def test_who_follows_events_misses_none_while_many_write(any_inst: Installation) -> None:
    inst, team, parser = any_inst, any_inst.team_id, make_parser(any_inst)
    ids = add(inst, parser, 4)
    seen: list[str] = []
    cursor = None

    def write(document_id: str) -> None:
        for _ in range(10):
            with inst.catalog.transaction() as session:
                fire(session, "document.updated", [(parser.id, document_id)])

    with ThreadPoolExecutor(4) as threads:
        writing = [threads.submit(write, document_id) for document_id in ids]
        is_done = False
        while not is_done:
            is_done = all(one.done() for one in writing)
            page = list_events(inst, team, cursor=cursor, limit=100)
            seen += [row.document_id for row in page.rows]
            cursor = page.next_cursor
        for one in writing:
            one.result()
    assert sorted(seen) == sorted(ids * 10)
