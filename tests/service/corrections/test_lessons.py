"""What parsers learn from corrections: for which documents it counts, lists of it, and removing it."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.catalog.models import Document
from docduck.errors import NotFound
from docduck.fields import parse_fields
from docduck.ids import new_id
from docduck.service.accounts.accounts import create_team
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.corrections.lesson_reach import lesson_reach
from docduck.service.corrections.lessons import LessonView, document_lessons, list_lessons, remove_lesson
from docduck.service.corrections.pending_corrections import (
    enqueue,
    is_pending,
    learn_at_once,
    process_pending,
)
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser
from docduck.service.processing.processing import process_queue
from docduck.statuses import Status
from tests.extraction.extractors.learned.sender_documents import FIELDS as PAPER_FIELDS
from tests.extraction.extractors.learned.sender_documents import SENDERS, paper
from tests.service.core.documents import add, correct, make_parser, upload
from tests.service.core.people import make_member

pytestmark = pytest.mark.slow

FIELDS = parse_fields([{"name": "Token"}, {"name": "Advertiser"}, {"name": "Contract Number"}])
PAGE = """Broadcast order of the station

Advertiser: Harbour {name} Tours
Contract Number: 77{number}
Alpha mark: A-{number}1
Beta mark: B-{number}2

Spots run on weekdays only, and are paid within thirty days
"""
NAMES = ("North", "South", "East", "West", "Upper", "Lower", "Old", "New", "Far")


def parser_of(inst: Installation) -> ParserView:
    return create_parser(inst, inst.team_id, NewParser(name="Orders", fields=FIELDS))


def read(inst: Installation, parser: ParserView, *numbers: int) -> list[DocumentView]:
    """Documents with these numbers, which one run reads."""
    pages = {f"{number}.txt": PAGE.format(number=number, name=NAMES[number]) for number in numbers}
    ids = [upload(inst, inst.team_id, parser.slug, page.encode(), name) for name, page in pages.items()]
    process_queue(inst)
    return [get_document(inst, inst.team_id, one) for one in ids]


def tokens(inst: Installation, parser: ParserView, *numbers: int) -> list[Any]:
    return [one.data["Token"] for one in read(inst, parser, *numbers)]


def test_the_newest_correction_wins_on_documents_that_look_alike(any_inst: Installation) -> None:
    inst, parser = any_inst, parser_of(any_inst)
    first, third, sixth = (one.id for one in read(inst, parser, 1, 3, 6))
    correct(inst, inst.team_id, first, {"Token": "A-11"})
    assert tokens(inst, parser, 2) == ["A-21"]
    correct(inst, inst.team_id, third, {"Token": "B-32"})
    assert tokens(inst, parser, 4, 5) == ["B-42", "B-52"]
    correct(inst, inst.team_id, first, {"Contract Number": "77"})
    assert tokens(inst, parser, 7) == ["B-72"], "a correction of another field makes no lesson newer"
    correct(inst, inst.team_id, sixth, {"Token": "A-61"})
    assert tokens(inst, parser, 8) == ["A-81"]


def test_confidence_grows_with_agreeing_corrections(inst: Installation) -> None:
    parser = parser_of(inst)
    seen = []
    for number in range(1, 5):
        (found,) = read(inst, parser, number)
        seen.append(found.field_metadata["Token"]["confidence"])
        correct(inst, inst.team_id, found.id, {"Token": f"A-{number}1"})
    assert 0.9 < seen[1] < seen[2] < seen[3] < 0.99


def test_an_odd_correction_is_not_read_with_high_confidence(inst: Installation) -> None:
    parser = parser_of(inst)
    first, second = read(inst, parser, 0, 1)
    assert first.data["Advertiser"] == "Harbour North Tours"
    correct(inst, inst.team_id, second.id, {"Advertiser": "771"})
    (found,) = read(inst, parser, 2)
    assert (found.data["Contract Number"], found.data["Advertiser"]) == ("772", "Harbour East Tours")


def approve(inst: Installation, document: str) -> None:
    with inst.catalog.transaction() as session:
        row = session.get_one(Document, document)
        row.status = Status.APPROVED
        enqueue(session, row)
    process_pending(inst)


def test_what_was_approved_as_read_is_surer_on_documents_of_the_look(inst: Installation) -> None:
    parser = parser_of(inst)
    (*former, last) = read(inst, parser, *range(7))
    names = ("Advertiser", "Contract Number")
    before = {name: last.field_metadata[name]["confidence"] for name in names}
    for one in former:
        approve(inst, one.id)
    (found,) = read(inst, parser, 8)
    for name in names:
        assert max(before[name], 0.98) <= found.field_metadata[name]["confidence"] < 1
    assert lessons_of(inst, parser) == [], "nothing was corrected"


def test_a_document_is_learned_from_at_once_and_alone(inst: Installation) -> None:
    parser, team = parser_of(inst), inst.team_id
    first, second = (one.id for one in read(inst, parser, 1, 2))
    for document, token in ((first, "A-11"), (second, "B-22")):
        set_values(inst, team, parser.id, document, {"Token": token})
    learn_at_once(inst, second)
    assert (is_pending(inst, first), is_pending(inst, second)) == (True, False)
    lessons = document_lessons(inst, team, parser.id, second)
    assert [one.label for one in lessons if one.corrected] == ["Beta mark:"]
    assert document_lessons(inst, team, parser.id, first) == []
    place = get_document(inst, team, second).field_metadata["Token"]["locations"][0]
    assert place["text"] == "B-22"


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


def test_documents_that_can_use_a_lesson_are_counted(any_inst: Installation) -> None:
    inst, team = any_inst, any_inst.team_id
    parser = create_parser(inst, team, NewParser(name="Papers", fields=list(PAPER_FIELDS)))
    other = create_parser(inst, team, NewParser(name="Other", fields=list(PAPER_FIELDS)))

    def uploaded(sender: int, number: int, where: str = parser.slug) -> str:
        return upload(inst, team, where, paper(SENDERS[sender], number)[0], f"{sender}-{number}.pdf")

    first, corrected, *alike = [uploaded(0, number) for number in range(5)]
    strange = [uploaded(sender, number) for sender in (1, 2) for number in range(2)]
    uploaded(0, 9, other.slug)
    process_queue(inst)
    correct(inst, team, corrected, paper(SENDERS[0], 1)[1])
    waiting = [uploaded(0, 7), uploaded(1, 7)]
    uploaded(0, 8, other.slug)

    found = lesson_reach(inst, team, parser.id, first)
    assert (found.waiting, found.undecided) == (len(waiting), len(alike + strange))

    # Read again, those of the look use what is learned, and no others.
    def deposit(one: str) -> object:
        return get_document(inst, team, one).data["Deposit"]

    before = {one: deposit(one) for one in alike + strange}
    correct(inst, team, first, paper(SENDERS[0], 0)[1])
    reprocess(inst, team, alike + strange, "ann")
    process_queue(inst)
    assert [one for one in before if deposit(one) != before[one]] == alike
    assert [deposit(one) for one in alike] == [paper(SENDERS[0], at)[1]["Deposit"] for at in (2, 3, 4)]
    assert lesson_reach(inst, team, parser.id, first).waiting == 0


def test_only_so_many_of_the_team_are_counted(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docduck.service.corrections.lesson_reach.MOST_COUNTED", 2)
    parser = make_parser(inst)
    (document,) = add(inst, parser)
    assert lesson_reach(inst, inst.team_id, parser.id, document).waiting == 0, "itself is not counted"
    add(inst, parser, 5, "more")
    assert lesson_reach(inst, inst.team_id, parser.id, document).waiting == 3
    for team, one in ((create_team(inst, "Strangers").id, document), (inst.team_id, new_id())):
        with pytest.raises(NotFound):
            lesson_reach(inst, team, parser.id, one)
