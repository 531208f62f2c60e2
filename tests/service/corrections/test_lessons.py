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
from tests.service.corrections.test_contradictions import corrected, parser_of, read

pytestmark = pytest.mark.slow


def lessons_of(inst: Installation, parser: ParserView, field: str = "Token") -> list[LessonView]:
    lessons = list_lessons(inst, inst.team_id, parser.slug, limit=100)
    assert len(lessons.rows) == lessons.total
    return [one for one in lessons.rows if one.field == field]


def test_lessons_tell_what_was_learned_from_whom(any_inst: Installation) -> None:
    inst, parser = any_inst, parser_of(any_inst)
    ann = make_member(inst)
    document = read(inst, parser, 1).id
    correct(inst, inst.team_id, document, {"Token": "A-11"}, actor=ann)
    (lesson,) = lessons_of(inst, parser)
    assert (lesson.kind, lesson.status, lesson.page, lesson.documents) == ("place", "active", 1, 1)
    assert lesson.label == "Alpha mark:"
    assert (lesson.document_id, lesson.document_name, lesson.corrected) == (document, "1.txt", True)
    assert lesson.learned_by is not None and lesson.learned_by.id == ann
    corrected(inst, parser, 2, {"Token": "B-22"})
    assert [one.status for one in lessons_of(inst, parser)] == ["active", "superseded"]
    first, second = (
        list_lessons(inst, inst.team_id, parser.id, 1, 1),
        list_lessons(inst, inst.team_id, parser.id, 2, 1),
    )
    assert first.total == second.total > 1 and first.rows != second.rows


def test_odd_corrections_and_single_constants_wait(inst: Installation) -> None:
    parser = parser_of(inst)
    corrected(inst, parser, 1, {"Advertiser": "771"})
    assert [one.status for one in lessons_of(inst, parser, "Advertiser")] == ["waiting"]


def test_a_removed_lesson_counts_no_longer(any_inst: Installation) -> None:
    inst, parser = any_inst, parser_of(any_inst)
    document = read(inst, parser, 1).id
    correct(inst, inst.team_id, document, {"Token": "A-11"})
    corrected(inst, parser, 2, {"Token": "B-22"})
    newest, former = lessons_of(inst, parser)
    assert remove_lesson(inst, inst.team_id, parser.slug, newest.id) == newest.id
    with pytest.raises(NotFound):
        remove_lesson(inst, inst.team_id, parser.slug, newest.id)
    assert read(inst, parser, 3).data["Token"] == "A-31", "the former one counts again"
    remove_lesson(inst, inst.team_id, parser.slug, former.id.upper())
    assert lessons_of(inst, parser) == []
    assert read(inst, parser, 4).data["Token"] is None
    correct(inst, inst.team_id, document, {"Advertiser": "Somebody"})
    assert lessons_of(inst, parser) == [], "it stays removed when its document is learned from again"
    assert read(inst, parser, 5).data["Token"] is None
    correct(inst, inst.team_id, document, {"Token": "A-11"})
    (again,) = lessons_of(inst, parser)
    assert again.id == former.id
    assert read(inst, parser, 6).data["Token"] == "A-61"


def test_lessons_are_of_one_team_and_parser(inst: Installation) -> None:
    parser = parser_of(inst)
    corrected(inst, parser, 1, {"Token": "A-11"})
    (lesson,) = lessons_of(inst, parser)
    strangers = create_team(inst, "Strangers")
    for team, one in ((strangers.id, lesson.id), (inst.team_id, new_id())):
        with pytest.raises(NotFound):
            remove_lesson(inst, team, parser.id, one)
    with pytest.raises(NotFound):
        list_lessons(inst, strangers.id, parser.id)
