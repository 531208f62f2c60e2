from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from sqlalchemy import select

from docduck import clock
from docduck.catalog.models import DocumentStage, ReviewStage
from docduck.service.accounts.accounts import remove_member
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.folders import create_folder
from docduck.service.parsers.parsers import get_parser
from docduck.service.processing import results
from docduck.service.processing.document_queue import ClaimRequest, claim
from docduck.service.processing.extraction_outcome import ExtractionOutcome
from docduck.service.processing.results import store_outcomes
from docduck.service.reviews import stage_rules
from docduck.service.reviews.stage_changes import delete_stage, update_stage
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, complete, correct, extraction, make_parser
from tests.service.core.people import make_member
from tests.service.reviews.reviews_world import approved, events, read_one, rule, stage, stages_at


def test_the_first_stage_that_applies_is_in_progress(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    ann, bob = make_member(any_inst), make_member(any_inst, "Bob")
    stage(any_inst, parser, "Large", ann, rule("Total", ">", 1000))
    stage(any_inst, parser, "Books", bob)
    stage(any_inst, parser, "Rows", ann, rule("Line Items.Amount", "=", 3))
    document_id = read_one(any_inst, parser, total=50.0, rows=5)
    shown = get_document(any_inst, any_inst.team_id, document_id)
    assert (shown.status, shown.is_processed) == ("in_review", True)
    assert stages_at(any_inst, document_id) == {"Large": "skipped", "Books": "in_progress", "Rows": "pending"}
    review = shown.review
    assert review.assignee is not None and review.current_stage is not None
    assert (review.status, review.assignee.id, review.current_stage.name) == ("in_progress", bob, "Books")
    assert events(any_inst, document_id) == [("review_owed", "Books, assigned to Bob", "me")]
    with any_inst.catalog.read_session() as session:
        moments = session.scalars(select(DocumentStage.started_at).order_by(DocumentStage.position)).all()
    assert moments[1] is not None
    assert abs(clock.now() - moments[1]) < dt.timedelta(minutes=5)
    assert moments[0] is moments[2] is None


def test_without_a_stage_that_applies_it_is_processed(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    stage(any_inst, parser, "Large", None, rule("Total", ">", 1000))
    shown = get_document(any_inst, any_inst.team_id, read_one(any_inst, parser, total=5.0))
    assert (shown.status, shown.review.status, shown.review.is_required) == (
        "processed",
        "not_required",
        False,
    )
    assert [one.status for one in shown.review.stages] == ["skipped"]


def test_rules_see_confidences_cells_and_duplicates_and_all_of_a_stage_must_hold(inst: Installation) -> None:
    parser = make_parser(inst)
    read_one(inst, parser, "before", total=20.0)
    conditions = [
        ([rule("Total", "<", 0.95, "confidence")], True),
        ([rule("Total", "<", 0.5, "confidence")], False),
        ([rule("Number", None, None, "is_duplicate")], True),
        ([rule("Tags", "contains", "b")], True),
        ([rule("Line Items.Description", "=", "item 1")], True),
        ([rule("Line Items.Description", "=", "item 9")], False),
        ([rule("Total", ">", 10), rule("Number", "=", "B")], False),
        ([rule("Total", ">", 10), rule("Number", "=", "a-1")], True),
    ]
    for number, (rules, _) in enumerate(conditions):
        stage(inst, parser, f"{number}", None, *rules)
    found = stages_at(inst, read_one(inst, parser, total=20.0))
    expected = {f"{at}": "pending" if applies else "skipped" for at, (_, applies) in enumerate(conditions)}
    assert found == expected | {"0": "in_progress"}


def test_rules_that_run_out_of_time_count_as_matching(make_installation: MakeInstallation) -> None:
    inst = make_installation(rule_seconds=1e-9)
    parser = make_parser(inst)
    stage(inst, parser, "Large", None, rule("Total", ">", 1000))
    shown = get_document(inst, inst.team_id, read_one(inst, parser, total=5.0))
    assert (shown.status, stages_at(inst, shown.id)) == ("in_review", {"Large": "in_progress"})
    assert "The rules of review stage 'Large' took too long, so it applies" in shown.warnings
    add(inst, parser, 3)
    claims = claim(inst, [ClaimRequest(parser.id, 10)], "me")
    outcomes = [ExtractionOutcome(one, parser, extraction()) for one in claims]
    stored = store_outcomes(inst, outcomes, "me")
    assert (list(stored.stored), list(stored.retry)) == (outcomes[:1], outcomes[1:]), "the rest is for later"
    assert [one for one, _ in stored.rule_seconds] == claims[:1]


@pytest.mark.parametrize("how", ["created", "changed", "deleted"])
def test_the_stages_are_those_of_the_moment_of_storing(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    parser = make_parser(any_inst)
    before = stage(any_inst, parser, "Before", None, rule("Total", ">", 1000))
    (document_id,) = add(any_inst, parser)
    (claimed,) = claim(any_inst, [ClaimRequest(parser.id, 10)], "me")
    real = results._prepare

    def prepare_and_change(*args: Any) -> Any:
        prepared = real(*args)
        monkeypatch.undo()
        match how:
            case "created":
                stage(any_inst, parser, "New", None)
            case "changed":
                update_stage(any_inst, parser.team_id, parser.id, before.id, {"review_type": "mandatory"})
            case _:
                delete_stage(any_inst, parser.team_id, parser.id, before.id)
        return prepared

    monkeypatch.setattr(results, "_prepare", prepare_and_change)
    outcome = ExtractionOutcome(claimed, get_parser(any_inst, parser.team_id, parser.id), extraction())
    first = store_outcomes(any_inst, [outcome], "me")
    assert (list(first.stored), list(first.retry)) == ([], [outcome])
    assert store_outcomes(any_inst, [outcome], "me").stored == [outcome]
    expected = {
        "created": {"Before": "skipped", "New": "in_progress"},
        "changed": {"Before": "in_progress"},
        "deleted": {},
    }
    assert stages_at(any_inst, document_id) == expected[how]


def test_reprocessing_computes_the_review_anew(any_inst: Installation) -> None:
    parser, ann = make_parser(any_inst), make_member(any_inst)
    stage(any_inst, parser, "Large", ann, rule("Total", ">", 1000))
    document_id = read_one(any_inst, parser, total=5000.0)
    correct(any_inst, any_inst.team_id, document_id, {"Number": "mine"})
    approved(any_inst, parser, document_id, ann)
    reprocess(any_inst, any_inst.team_id, [document_id])
    assert get_document(any_inst, any_inst.team_id, document_id).review.stages == ()
    complete(any_inst, parser, total=5.0)
    shown = get_document(any_inst, any_inst.team_id, document_id)
    assert (shown.status, shown.data["Number"], shown.review.assignee) == ("processed", "mine", None)
    assert stages_at(any_inst, document_id) == {"Large": "skipped"}


def test_a_reviewer_who_left_is_not_assigned(
    any_inst: Installation, caplog: pytest.LogCaptureFixture
) -> None:
    parser, ann = make_parser(any_inst), make_member(any_inst)
    made = stage(any_inst, parser, "Check", ann)
    filing: Any = {"name": "All", "auto_assignment": {"rules": [rule("Total", ">", 0)]}}
    create_folder(any_inst, parser.team_id, parser.id, filing)
    at = read_one(any_inst, parser, "before")
    last = get_document(any_inst, any_inst.team_id, at).history[-1]
    assert (last.event, last.from_status, last.to_status) == ("filed", "in_review", "in_review")
    remove_member(any_inst, any_inst.team_id, ann)
    after = read_one(any_inst, parser, "after")
    for document_id in (at, after):
        review = get_document(any_inst, any_inst.team_id, document_id).review
        assert (review.status, review.assignee) == ("in_progress", None)
        assert review.current_stage == review.stages[0]
        assert review.stages[0].assignee is None
    # Rules that are broken do not stop processing.
    with any_inst.catalog.transaction() as session:
        row = session.get_one(ReviewStage, made.id)
        row.review_type, row.rules = "conditional", [{"type": "simple", "id": "x"}]
    assert stages_at(any_inst, read_one(any_inst, parser, "more")) == {"Check": "in_progress"}
    assert stage_rules._log.name in {record.name for record in caplog.records}
