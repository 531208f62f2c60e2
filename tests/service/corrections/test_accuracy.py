from __future__ import annotations

import datetime as dt

import pytest

from docduck import clock
from docduck.catalog.models import DocumentResult
from docduck.errors import NotFound
from docduck.fields import Field
from docduck.service.accounts.accounts import create_team
from docduck.service.core.installation import Installation
from docduck.service.corrections import accuracy as module
from docduck.service.corrections.accuracy import parser_accuracy
from docduck.service.corrections.corrections import confirm_values, set_values
from docduck.service.parsers.field_editing import add_field
from tests.service.core.documents import add, complete, make_parser, set_document


def came_in(inst: Installation, document_id: str, days_ago: float) -> None:
    set_document(inst, document_id, created_at=clock.now() - dt.timedelta(days=days_ago))


def look_at(inst: Installation, document_id: str, *fields: Field) -> None:
    """Record that whoever approved the document looked at these fields."""
    with inst.catalog.transaction() as session:
        result = session.get_one(DocumentResult, document_id)
        result.looked = [str(field.id) for field in fields]


def test_corrected_values_are_counted_by_field_and_month(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    ids = add(inst, parser, 6)
    complete(inst, parser)
    add(inst, parser, 1, "waiting")
    rows = [{"Description": "item 0", "Amount": 7.0}]
    set_values(inst, inst.team_id, parser.id, ids[0], {"Number": "B-1", "Line Items": rows})
    set_values(inst, inst.team_id, parser.id, ids[1], {"Number": "A-1"})  # as it was read
    set_values(inst, inst.team_id, parser.id, ids[2], {"Number": "C-1"})
    set_document(inst, ids[3], status="approved")
    look_at(inst, ids[3], parser.fields[1])
    for one in (*ids[:2], ids[5]):
        came_in(inst, one, 200)
    found = parser_accuracy(inst, inst.team_id, parser.slug)
    number, total, tags, items = (str(field.id) for field in found.fields)
    assert (found.by_week, found.is_cut) == (False, False)
    latest, former = found.periods
    assert former.begin == (clock.now() - dt.timedelta(days=200)).date().replace(day=1)
    assert (former.documents, former.not_reviewed, former.corrected) == (2, 1, {number: 1, items: 1})
    assert (latest.documents, latest.not_reviewed, latest.corrected) == (2, 1, {number: 1})
    assert (found.documents, found.not_reviewed) == (4, 2)
    assert (former.looked, former.share(number)) == ({number: 2, items: 1}, 0.5)
    assert former.share(total) is None, "nobody said that it is right"
    assert latest.looked == {number: 1, total: 1}, "of the approved document what was looked at"
    assert (latest.share(number), latest.share(total), latest.share(tags)) == (0, 1, None)
    assert (latest.values, found.looked, found.values) == (8, 5, 16)
    strangers = create_team(inst, "Strangers")
    with pytest.raises(NotFound):
        parser_accuracy(inst, strangers.id, parser.id)


def test_only_values_that_were_looked_at_are_right(inst: Installation) -> None:
    parser = make_parser(inst)
    first, second, third, *_ = add(inst, parser, 6)
    complete(inst, parser, rows=0)
    number, total, tags, items = (str(field.id) for field in parser.fields)
    set_values(inst, inst.team_id, parser.id, first, {"Number": "B-1"})
    (period,) = parser_accuracy(inst, inst.team_id, parser.id).periods
    assert (period.documents, period.not_reviewed) == (1, 5)
    assert (period.looked, period.corrected) == ({number: 1}, {number: 1})
    assert [period.share(one) for one in (number, total, tags, items)] == [0, None, None, None]

    confirm_values(inst, inst.team_id, parser.id, second)
    set_document(inst, third, status="approved")
    add_field(inst, inst.team_id, parser.id, {"name": "Later"})
    found = parser_accuracy(inst, inst.team_id, parser.id)
    (period,), added = found.periods, str(found.fields[-1].id)
    assert period.looked == {number: 2, total: 1, tags: 1, items: 1}, "a table without rows, too"
    assert (period.corrected, period.share(total)) == ({number: 1}, 1)
    assert (period.documents, found.looked, found.values) == (3, 5, 12), "nobody looked at the approved one"
    assert period.share(added) is None, "nobody has seen the new field"


def test_few_weeks_are_shown_by_week_and_only_the_latest_documents(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(inst)
    ids = add(inst, parser, 4)
    complete(inst, parser)
    for number, one in enumerate(ids):
        came_in(inst, one, 14 * number)
    found = parser_accuracy(inst, inst.team_id, parser.id)
    assert found.by_week and [(one.documents, one.not_reviewed) for one in found.periods] == [(0, 1)] * 4
    assert found.periods[0].share("any") is None, "nobody looked at them"
    assert {one.begin.weekday() for one in found.periods} == {0}
    monkeypatch.setattr(module, "MOST_DOCUMENTS", 3)
    found = parser_accuracy(inst, inst.team_id, parser.id)
    assert found.is_cut and len(found.periods) == 3
    assert parser_accuracy(inst, inst.team_id, make_parser(inst, "Empty").id).periods == []
