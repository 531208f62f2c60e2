"""For how many documents a lesson counts, with documents of several senders."""

from __future__ import annotations

import pytest

from docduck.errors import NotFound
from docduck.ids import new_id
from docduck.service.accounts.accounts import create_team
from docduck.service.core.installation import Installation
from docduck.service.corrections.lesson_reach import lesson_reach
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.processing import process_queue
from tests.extraction.extractors.learned.sender_documents import FIELDS, SENDERS, paper
from tests.service.core.documents import add, correct, make_parser, upload

pytestmark = pytest.mark.slow


def test_documents_that_can_use_a_lesson_are_counted(any_inst: Installation) -> None:
    inst, team = any_inst, any_inst.team_id
    parser = create_parser(inst, team, NewParser(name="Papers", fields=list(FIELDS)))
    other = create_parser(inst, team, NewParser(name="Other", fields=list(FIELDS)))

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
    def reference(one: str) -> object:
        return get_document(inst, team, one).data["Reference"]

    before = {one: reference(one) for one in alike + strange}
    correct(inst, team, first, paper(SENDERS[0], 0)[1])
    reprocess(inst, team, alike + strange, "ann")
    process_queue(inst)
    assert [one for one in before if reference(one) != before[one]] == alike
    assert [reference(one) for one in alike] == [paper(SENDERS[0], at)[1]["Reference"] for at in (2, 3, 4)]
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
