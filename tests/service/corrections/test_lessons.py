"""Listing what a parser has learned, and removing single lessons."""

from __future__ import annotations

import pytest

from docduck.errors import NotFound
from docduck.ids import new_id
from docduck.service.accounts.accounts import create_team
from docduck.service.core.installation import Installation
from docduck.service.corrections.lessons import LessonView, list_lessons, remove_lesson
from docduck.service.parsers.parsers import ParserView
from tests.service.core.documents import correct
from tests.service.core.people import make_member
from tests.service.corrections.test_contradictions import parser_of, read, tokens

pytestmark = pytest.mark.slow


def lessons_of(inst: Installation, parser: ParserView, field: str = "Token") -> list[LessonView]:
    lessons = list_lessons(inst, inst.team_id, parser.slug, limit=100)
    assert len(lessons.rows) == lessons.total
    return [one for one in lessons.rows if one.field == field]


def test_lessons_tell_what_was_learned_from_whom(any_inst: Installation) -> None:
    inst, team, parser = any_inst, any_inst.team_id, parser_of(any_inst)
    ann = make_member(inst)
    first, second, odd = (one.id for one in read(inst, parser, 1, 2, 3))
    correct(inst, team, first, {"Token": "A-11"}, actor=ann)
    (lesson,) = lessons_of(inst, parser)
    assert (lesson.kind, lesson.status, lesson.page, lesson.documents) == ("place", "active", 1, 1)
    assert lesson.label == "Alpha mark:"
    assert (lesson.document_id, lesson.document_name, lesson.corrected) == (first, "1.txt", True)
    assert lesson.learned_by is not None and lesson.learned_by.id == ann
    correct(inst, team, second, {"Token": "B-22"})
    assert [one.status for one in lessons_of(inst, parser)] == ["active", "superseded"]
    correct(inst, team, odd, {"Advertiser": "773"})
    assert "waiting" in [one.status for one in lessons_of(inst, parser, "Advertiser")]
    former, latter = (list_lessons(inst, team, parser.id, page, 1) for page in (1, 2))
    assert former.total == latter.total > 1 and former.rows != latter.rows
    strangers = create_team(inst, "Strangers")
    for other, one in ((strangers.id, lesson.id), (team, new_id())):
        with pytest.raises(NotFound):
            remove_lesson(inst, other, parser.id, one)
    with pytest.raises(NotFound):
        list_lessons(inst, strangers.id, parser.id)


def test_a_removed_lesson_counts_no_longer(any_inst: Installation) -> None:
    inst, parser = any_inst, parser_of(any_inst)
    document, second = (one.id for one in read(inst, parser, 1, 2))
    correct(inst, inst.team_id, document, {"Token": "A-11"})
    correct(inst, inst.team_id, second, {"Token": "B-22"})
    newest, former = lessons_of(inst, parser)
    assert remove_lesson(inst, inst.team_id, parser.slug, newest.id) == newest.id
    with pytest.raises(NotFound):
        remove_lesson(inst, inst.team_id, parser.slug, newest.id)
    assert tokens(inst, parser, 3) == ["A-31"], "the former one counts again"
    remove_lesson(inst, inst.team_id, parser.slug, former.id.upper())
    assert lessons_of(inst, parser) == []
    correct(inst, inst.team_id, document, {"Advertiser": "Somebody"})
    assert lessons_of(inst, parser) == [], "it stays removed when its document is learned from again"
    assert tokens(inst, parser, 4) == [None]
    correct(inst, inst.team_id, document, {"Token": "A-11"})
    (again,) = lessons_of(inst, parser)
    assert again.id == former.id
    assert tokens(inst, parser, 5) == ["A-51"]
