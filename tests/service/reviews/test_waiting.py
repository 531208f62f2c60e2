from __future__ import annotations

import datetime as dt

from sqlalchemy import update

from docduck import clock
from docduck.catalog.models import DocumentStage
from docduck.service.core.installation import Installation
from docduck.service.reviews.waiting import overdue_documents, review_queue
from docduck.service.upkeep.checks import checks
from tests.service.core.documents import make_parser
from tests.service.core.people import make_member
from tests.service.reviews.reviews_world import approved, read_one, stage


def age(inst: Installation, document_id: str, hours: float) -> None:
    """Let a document wait since so many hours."""
    with inst.catalog.transaction() as session:
        session.execute(
            update(DocumentStage)
            .where(DocumentStage.document_id == document_id, DocumentStage.status == "in_progress")
            .values(started_at=clock.now() - dt.timedelta(hours=hours))
        )


def test_documents_that_wait_too_long_are_overdue(any_inst: Installation) -> None:
    parser, other = make_parser(any_inst), make_parser(any_inst, "Others")
    ann, bob = make_member(any_inst), make_member(any_inst, "Bob")
    stage(any_inst, parser, "Books", ann)
    stage(any_inst, parser, "CFO", bob)
    assert review_queue(any_inst, parser.id).longest is None
    first, second = (read_one(any_inst, parser, prefix) for prefix in "ab")
    assert overdue_documents(any_inst) == []
    age(any_inst, first, 25)
    age(any_inst, second, 30)
    found = overdue_documents(any_inst)
    assert [(one.document_id, one.parser, one.stage) for one in found] == [
        (second, "invoices", "Books"),
        (first, "invoices", "Books"),
    ]
    assert found[0].assignee is not None and found[0].assignee.startswith("ann-")
    assert [one.document_id for one in overdue_documents(any_inst, after=found[0].key)] == [first]
    assert overdue_documents(any_inst, after=found[1].key) == []
    assert overdue_documents(any_inst, parser_id=other.id) == []
    queue = review_queue(any_inst, parser.id)
    assert (queue.documents, queue.longest) == (2, found[0].since)
    result = next(one for one in checks(any_inst, parser) if one.name == "overdue")
    assert (result.passed, result.severity, result.metadata) == (False, "WARN", {"overdue": 2})
    assert "for over 24 h: b-0.txt (Books, ann-" in result.description
    approved(any_inst, parser, first, ann)
    approved(any_inst, parser, second, ann)
    # At the next stage the wait begins anew.
    assert overdue_documents(any_inst) == []
    assert checks(any_inst, parser)[-1].passed
