from __future__ import annotations

import threading
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update

from docduck import clock
from docduck.catalog.models import (
    DocumentStage,
    Export,
    ExportedDocument,
    PendingCorrection,
    WebhookDelivery,
)
from docduck.catalog.models.webhooks import EXPORTED
from docduck.errors import Conflict, Forbidden, InputError, InvalidTransition, NotFound
from docduck.ids import new_id
from docduck.service.accounts.accounts import remove_member
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.outputs.warehouse_sync import publish, sync_warehouse
from docduck.service.parsers.parsers import ParserView
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.reviews import decisions
from docduck.service.reviews.decisions import approve
from docduck.service.reviews.stage_changes import delete_stage, update_stage
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, correct, make_parser
from tests.service.core.people import make_member, make_team
from tests.service.processing.threads import at_once
from tests.service.reviews.reviews_world import (
    approved,
    audited,
    events,
    read_one,
    rejected,
    restarted,
    rule,
    stage,
    stages_at,
)
from tests.service.webhooks.receiver import subscribe

ONLY_ASSIGNED = "^Only the assigned reviewer can act on this stage$"
NOT_IN_REVIEW = "^Document is not in review$"


class Two:
    """A document at the first of two stages, of Ann and Bob."""

    def __init__(self, inst: Installation) -> None:
        self.inst = inst
        self.parser: ParserView = make_parser(inst)
        self.ann, self.bob = make_member(inst), make_member(inst, "Bob")
        self.first = stage(inst, self.parser, "Books", self.ann)
        self.second = stage(inst, self.parser, "CFO", self.bob)
        self.id = read_one(inst, self.parser)

    def at(self) -> tuple[str, dict[str, str]]:
        return get_document(self.inst, self.inst.team_id, self.id).status, stages_at(self.inst, self.id)


def warehouse(inst: Installation) -> list[tuple[Any, ...]]:
    sync_warehouse(inst)
    publish(inst, force=True)
    return list(inst.warehouse.query("SELECT status, approved_at IS NOT NULL FROM invoices.documents").rows)


def test_two_stages_are_approved_one_after_the_other(any_inst: Installation) -> None:
    two = Two(any_inst)
    assert warehouse(any_inst) == [("in_review", False)]
    shown = approved(any_inst, two.parser, two.id, two.ann)
    assert shown.review.current_stage is not None and shown.review.assignee is not None
    assert (shown.status, shown.review.current_stage.name, shown.review.assignee.id) == (
        "in_review",
        "CFO",
        two.bob,
    )
    assert shown.review.stages[0].approved_at is not None
    shown = approved(any_inst, two.parser, two.id, two.bob)
    assert (shown.status, shown.review.status, shown.review.assignee) == ("approved", "approved", None)
    assert warehouse(any_inst) == [("approved", True)]
    assert events(any_inst, two.id) == [
        ("review_owed", "Books, assigned to Ann", "me"),
        ("stage_approved", "Books", two.ann),
        ("stage_started", "CFO, assigned to Bob", two.ann),
        ("approved", "CFO", two.bob),
    ]
    (first_action, first), (_, second) = audited(any_inst, two.id)
    assert (first_action, first["through"], first["stage"]) == ("review.approved", "key x", two.first.id)
    assert first["before"]["stages"] == {two.first.id: "in_progress", two.second.id: "pending"}
    assert first["after"]["stages"] == {two.first.id: "approved", two.second.id: "in_progress"}
    assert (second["before"]["status"], second["after"]["status"]) == ("in_review", "approved")


def test_a_rejection_ends_the_review_until_it_is_reset(any_inst: Installation) -> None:
    two = Two(any_inst)
    shown = rejected(any_inst, two.parser, two.id, two.ann, "wrong supplier")
    assert (shown.status, shown.review.status, shown.review.assignee) == ("rejected", "rejected", None)
    assert (shown.review.stages[0].comment, shown.review.stages[0].rejected_at is None) == (
        "wrong supplier",
        False,
    )
    assert two.at() == ("rejected", {"Books": "rejected", "CFO": "pending"})
    assert warehouse(any_inst) == [("rejected", False)]
    for reviewer in (two.ann, two.bob):
        for act in (approved, rejected):
            with pytest.raises(Conflict, match=NOT_IN_REVIEW):
                act(any_inst, two.parser, two.id, reviewer)
    with pytest.raises(Forbidden, match=ONLY_ASSIGNED):
        restarted(any_inst, two.parser, two.id, two.bob)
    shown = restarted(any_inst, two.parser, two.id, two.ann)
    assert two.at() == ("in_review", {"Books": "in_progress", "CFO": "pending"})
    assert [(one.rejected_at, one.comment) for one in shown.review.stages] == [(None, None), (None, None)]
    assert shown.review.assignee is not None and shown.review.assignee.id == two.ann
    assert [event for event, _, _ in events(any_inst, two.id)] == [
        "review_owed",
        "rejected",
        "review_reset",
        "stage_started",
    ]
    assert warehouse(any_inst) == [("in_review", False)]


def test_who_may_reset(any_inst: Installation) -> None:
    two = Two(any_inst)
    admin = make_member(any_inst, "Ada", role="admin")
    approved(any_inst, two.parser, two.id, two.ann)
    with pytest.raises(InvalidTransition, match="approved or rejected"):
        restarted(any_inst, two.parser, two.id, admin)
    for last in (two.bob, admin):
        approved(any_inst, two.parser, two.id, two.bob)
        with pytest.raises(Forbidden, match=ONLY_ASSIGNED):
            restarted(any_inst, two.parser, two.id, two.ann)
        restarted(any_inst, two.parser, two.id, last)
        assert warehouse(any_inst) == [("in_review", False)]
        approved(any_inst, two.parser, two.id, two.ann)


def test_others_than_the_assigned_reviewer_are_refused(any_inst: Installation) -> None:
    two = Two(any_inst)
    strangers = make_team(any_inst)
    stranger = make_member(any_inst, team_id=strangers)
    admin = make_member(any_inst, "Ada", role="admin")
    for reviewer in (two.bob, stranger, admin, new_id(), "ann"):
        for act in (approved, rejected):
            with pytest.raises(Forbidden, match=ONLY_ASSIGNED):
                act(any_inst, two.parser, two.id, reviewer)
    with pytest.raises(InputError, match="Parser ID mismatch"):
        approved(any_inst, make_parser(any_inst, "Others"), two.id, two.ann)
    for decide in (decisions.approve, decisions.reject, decisions.reset):
        with pytest.raises(NotFound):
            decide(any_inst, strangers, two.parser.id, two.id, two.ann)
        with pytest.raises(NotFound, match="Document not found"):
            decide(any_inst, any_inst.team_id, two.parser.id, new_id(), two.ann)
    with pytest.raises(InputError, match="1000 characters"):
        rejected(any_inst, two.parser, two.id, two.ann, "x" * 1001)
    assert two.at() == ("in_review", {"Books": "in_progress", "CFO": "pending"})
    approved(any_inst, two.parser, two.id, two.ann.upper())


def test_documents_that_are_being_read_or_have_no_stages_are_not_in_review(any_inst: Installation) -> None:
    two = Two(any_inst)
    reprocess(any_inst, any_inst.team_id, [two.id])
    claim(any_inst, [ClaimRequest(two.parser.id, 1)], "me")
    other = make_parser(any_inst, "Others")
    without = read_one(any_inst, other)
    (queued,) = add(any_inst, other, prefix="queued")
    for parser, document_id in ((two.parser, two.id), (other, without), (other, queued)):
        for act in (approved, rejected):
            with pytest.raises(Conflict, match=NOT_IN_REVIEW):
                act(any_inst, parser, document_id, two.ann)
        with pytest.raises(InvalidTransition):
            restarted(any_inst, parser, document_id, two.ann)
    assert two.at() == ("processing", {})


def test_the_stage_is_reassigned_with_the_document(any_inst: Installation) -> None:
    two = Two(any_inst)
    with pytest.raises(Conflict, match=r"^Cannot remove the assignee while a review stage is in progress$"):
        update_document(any_inst, any_inst.team_id, two.parser.id, two.id, {"assignee_id": None})
    update_document(any_inst, any_inst.team_id, two.parser.id, two.id, {"assignee_id": two.bob}, "key x")
    assert events(any_inst, two.id)[-1] == ("assigned", "Books, assigned to Bob", "key x")
    action, details = audited(any_inst, two.id)[-1]
    assert (action, details["before"], details["after"]) == (
        "document.updated",
        {"assigneeId": two.ann},
        {"assigneeId": two.bob},
    )
    with pytest.raises(Forbidden, match=ONLY_ASSIGNED):
        approved(any_inst, two.parser, two.id, two.ann)
    approved(any_inst, two.parser, two.id, two.bob)
    assert two.at() == ("in_review", {"Books": "approved", "CFO": "in_progress"})


def test_a_review_waits_when_its_reviewer_leaves(any_inst: Installation) -> None:
    two = Two(any_inst)
    remove_member(any_inst, any_inst.team_id, two.ann)
    assert get_document(any_inst, any_inst.team_id, two.id).review.assignee is None
    with pytest.raises(Forbidden, match=ONLY_ASSIGNED):
        approved(any_inst, two.parser, two.id, two.ann)
    update_document(any_inst, any_inst.team_id, two.parser.id, two.id, {"assignee_id": two.bob})
    remove_member(any_inst, any_inst.team_id, two.bob)
    carl = make_member(any_inst, "Carl")
    update_document(any_inst, any_inst.team_id, two.parser.id, two.id, {"assignee_id": carl})
    shown = approved(any_inst, two.parser, two.id, carl)
    assert shown.review.current_stage is not None
    assert (shown.review.current_stage.name, shown.review.assignee) == ("CFO", None)


def test_rules_of_later_stages_are_evaluated_when_they_are_reached(any_inst: Installation) -> None:
    parser, ann = make_parser(any_inst), make_member(any_inst)
    stage(any_inst, parser, "Books", ann)
    stage(any_inst, parser, "Large", ann, rule("Total", ">", 1000))
    stage(any_inst, parser, "Small", ann, rule("Total", "<", 1000))
    document_id = read_one(any_inst, parser, total=50.0)
    assert stages_at(any_inst, document_id) == {
        "Books": "in_progress",
        "Large": "skipped",
        "Small": "pending",
    }
    correct(any_inst, any_inst.team_id, document_id, {"Total": 5000})
    approved(any_inst, parser, document_id, ann)
    assert stages_at(any_inst, document_id)["Large"] == "in_progress"
    assert approved(any_inst, parser, document_id, ann).status == "approved"
    assert stages_at(any_inst, document_id) == {"Books": "approved", "Large": "approved", "Small": "skipped"}
    assert [event for event, _, _ in events(any_inst, document_id)][-2:] == ["stage_skipped", "approved"]


def test_a_reset_starts_at_the_first_stage_that_applies_now(any_inst: Installation) -> None:
    parser, ann = make_parser(any_inst), make_member(any_inst)
    stage(any_inst, parser, "Large", ann, rule("Total", ">", 1000))
    stage(any_inst, parser, "Small", ann, rule("Total", "<", 1000))
    document_id = read_one(any_inst, parser, total=50.0)
    rejected(any_inst, parser, document_id, ann)
    correct(any_inst, any_inst.team_id, document_id, {"Total": 5000})
    restarted(any_inst, parser, document_id, ann)
    assert stages_at(any_inst, document_id) == {"Large": "in_progress", "Small": "pending"}
    rejected(any_inst, parser, document_id, ann)
    # None applies any more: somebody has to look nevertheless.
    correct(any_inst, any_inst.team_id, document_id, {"Total": None})
    restarted(any_inst, parser, document_id, ann)
    assert stages_at(any_inst, document_id) == {"Large": "in_progress", "Small": "pending"}


def test_a_new_reviewer_gets_what_reaches_the_stage_and_a_deleted_stage_stays(any_inst: Installation) -> None:
    two = Two(any_inst)
    for made in (two.first, two.second):
        update_stage(any_inst, any_inst.team_id, two.parser.id, made.id, {"reviewer_id": two.ann})
    shown = approved(any_inst, two.parser, two.id, two.ann)
    assert shown.review.assignee is not None and shown.review.assignee.id == two.ann
    approved(any_inst, two.parser, two.id, two.ann)
    delete_stage(any_inst, any_inst.team_id, two.parser.id, two.first.id)
    restarted(any_inst, two.parser, two.id, two.ann)
    assert two.at() == ("in_review", {"Books": "in_progress", "CFO": "pending"})


@pytest.mark.parametrize("same", [True, False])
def test_of_two_approvals_at_once_one_wins(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch, same: bool
) -> None:
    """Also if the next stage is the same person's: nobody approves a stage unseen."""
    two = Two(any_inst)
    if same:
        changes: Any = {"reviewer_id": two.ann}
        update_stage(any_inst, any_inst.team_id, two.parser.id, two.second.id, changes)
    else:
        delete_documents(any_inst, any_inst.team_id, [two.id])
        delete_stage(any_inst, any_inst.team_id, two.parser.id, two.second.id)
        two.id = read_one(any_inst, two.parser, "single")
    barrier = threading.Barrier(2)
    real: Any = vars(decisions)["find_next"]

    def find_next(*args: Any) -> Any:
        found = real(*args)
        barrier.wait(timeout=30)
        return found

    outcomes: list[str] = []

    def act() -> None:
        try:
            outcomes.append(approve(any_inst, any_inst.team_id, two.parser.id, two.id, two.ann).status)
        except Conflict as error:
            outcomes.append(error.message)

    monkeypatch.setattr(decisions, "find_next", find_next)
    at_once(act, act)
    if same:
        assert set(outcomes) == {"in_review", decisions._CHANGED}
        assert two.at() == ("in_review", {"Books": "approved", "CFO": "in_progress"})
    else:
        assert set(outcomes) == {"approved", "Document is not in review"}


def test_values_that_change_meanwhile_are_seen(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser, ann = make_parser(any_inst), make_member(any_inst)
    stage(any_inst, parser, "Books", ann)
    stage(any_inst, parser, "Large", ann, rule("Total", ">", 1000))
    document_id = read_one(any_inst, parser, total=50.0)
    real: Any = vars(decisions)["find_next"]

    def find_next(*args: Any) -> Any:
        found = real(*args)
        monkeypatch.undo()
        set_values(any_inst, any_inst.team_id, parser.id, document_id, {"Total": 5000})
        return found

    monkeypatch.setattr(decisions, "find_next", find_next)
    approved(any_inst, parser, document_id, ann)
    assert stages_at(any_inst, document_id) == {"Books": "approved", "Large": "in_progress"}


def test_values_in_review_are_corrected_by_the_assignee(any_inst: Installation) -> None:
    two = Two(any_inst)
    change = {"Number": "mine"}
    with pytest.raises(Forbidden, match=ONLY_ASSIGNED):
        set_values(any_inst, any_inst.team_id, two.parser.id, two.id, change, reviewer_id=two.bob)
    shown = set_values(any_inst, any_inst.team_id, two.parser.id, two.id, change, reviewer_id=two.ann)
    assert shown.field_metadata["Number"]["editedBy"] == two.ann
    set_values(any_inst, any_inst.team_id, two.parser.id, two.id, change)


def test_an_approved_document_is_queued_to_be_learned_from(any_inst: Installation) -> None:
    two = Two(any_inst)

    def count(table: type[PendingCorrection | DocumentStage]) -> int:
        with any_inst.catalog.read_session() as session:
            return session.scalar(select(func.count()).select_from(table)) or 0

    approved(any_inst, two.parser, two.id, two.ann)
    assert count(PendingCorrection) == 0
    approved(any_inst, two.parser, two.id, two.bob)
    assert count(PendingCorrection) == 1
    delete_documents(any_inst, any_inst.team_id, [two.id])
    assert count(DocumentStage) == 0, "its review goes with it"


def test_rules_that_run_out_of_time_count_as_matching(make_installation: MakeInstallation) -> None:
    inst = make_installation()
    parser, ann = make_parser(inst), make_member(inst)
    stage(inst, parser, "Books", ann)
    stage(inst, parser, "Large", ann, rule("Total", ">", 1000))
    document_id = read_one(inst, parser, total=50.0)
    hurried = make_installation(rule_seconds=1e-9)
    approved(hurried, parser, document_id, ann)
    assert stages_at(inst, document_id)["Large"] == "in_progress"
    assert events(inst, document_id)[-1][1] == "Large, assigned to Ann; its rules took too long"


def undone(two: Two, reviewer: str) -> Any:
    return decisions.undo_approval(two.inst, two.inst.team_id, two.parser.id, two.id, reviewer, "key x")


def test_an_approval_is_undone_until_somebody_acts_on_the_next_stage(any_inst: Installation) -> None:
    two = Two(any_inst)
    with pytest.raises(Conflict, match=r"no approval that can be undone.*'Review again' starts"):
        undone(two, two.ann)
    approved(any_inst, two.parser, two.id, two.ann)
    with pytest.raises(Forbidden):
        undone(two, two.bob)
    shown = undone(two, two.ann)
    assert two.at() == ("in_review", {"Books": "in_progress", "CFO": "pending"})
    assert shown.review.assignee.id == two.ann
    approved(any_inst, two.parser, two.id, two.ann)
    approved(any_inst, two.parser, two.id, two.bob)
    with pytest.raises(Forbidden):
        undone(two, two.ann)
    assert undone(two, two.bob).review.assignee.id == two.bob
    assert two.at() == ("in_review", {"Books": "approved", "CFO": "in_progress"})
    assert warehouse(any_inst) == [("in_review", False)]
    assert [event for event, *_ in events(any_inst, two.id)][-2:] == ["approved", "approval_undone"]
    rejected(any_inst, two.parser, two.id, two.bob)
    with pytest.raises(Conflict, match="no approval that can be undone"):
        undone(two, two.ann)


def test_what_an_export_or_a_webhook_has_taken_is_not_undone(inst: Installation) -> None:
    two = Two(inst)

    def approve_both() -> None:
        for one in (two.ann, two.bob):
            approved(inst, two.parser, two.id, one)

    subscribe(inst, two.parser.id, "https://example.org/", [EXPORTED])
    approve_both()
    undone(two, two.bob)
    with inst.catalog.transaction() as session:
        (delivery,) = session.scalars(select(WebhookDelivery))
        assert (delivery.status, delivery.next_attempt_at) == ("cancelled", None)
    approved(inst, two.parser, two.id, two.bob)
    with inst.catalog.transaction() as session:
        session.execute(
            update(WebhookDelivery).where(WebhookDelivery.status == "pending").values(attempts=[{}])
        )
    with pytest.raises(Conflict, match=r"can't be undone any more: a webhook has sent it\. 'Review again'"):
        undone(two, two.bob)
    with inst.catalog.transaction() as session:
        session.execute(delete(WebhookDelivery))
        now = clock.now()
        export: dict[str, Any] = {
            "id": new_id(),
            "team_id": inst.team_id,
            "parser_id": two.parser.id,
            "format": "csv",
        }
        export |= {"file_name": "a.csv", "content_type": "text/csv", "document_count": 1}
        session.add(Export(**export, row_count=1, actor="me", created_at=now))
    with pytest.raises(Conflict, match="an export was made since"):
        undone(two, two.bob)
    with inst.catalog.transaction() as session:
        session.execute(delete(Export))
        session.add(ExportedDocument(parser_id=two.parser.id, name="daily", document_id=two.id))
    with pytest.raises(Conflict, match="the incremental export 'daily' has the document"):
        undone(two, two.bob)
    assert restarted(inst, two.parser, two.id, two.bob).status == "in_review"
