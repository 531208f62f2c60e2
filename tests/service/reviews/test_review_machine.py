"""Random sequences of operations on a review: no illegal state, and no rows left behind."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import select

from docduck.catalog.models import Document, DocumentEvent, DocumentStage, ReviewStage
from docduck.errors import InputError
from docduck.service.core.installation import Installation, open_installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.documents.status_transitions import TRANSITIONS
from docduck.service.reviews.decisions import approve, reject, reset
from docduck.service.reviews.stage_changes import create_stage, delete_stage, update_stage
from docduck.settings import Settings
from tests.service.core.documents import add, complete, make_parser
from tests.service.core.people import make_member
from tests.service.reviews.reviews_world import rule as rule_on

RULES: list[Any] = [[], [rule_on("Total", ">", 100)], [rule_on("Total", "<", 100)]]
POSSIBLE = {(a, b) for (a, _), b in TRANSITIONS.items()}


class Reviews(RuleBasedStateMachine):
    """A parser with stages of two people, and a few documents."""

    home: Path

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=self.home.parent))
        shutil.copy(self.home, self.folder / "catalog.sqlite")
        self.inst: Installation = open_installation(Settings(home=self.folder))
        self.parser = make_parser(self.inst)
        self.people = [make_member(self.inst), make_member(self.inst, "Bob", role="admin")]
        self.count = 0

    def teardown(self) -> None:
        if hasattr(self, "inst"):
            self.inst.close()

    def rows(self, model: Any) -> list[Any]:
        with self.inst.catalog.read_session() as session:
            rows = list(session.scalars(select(model).order_by(model.id)))
            session.expunge_all()
            return rows

    def try_on(self, model: Any, number: int, act: Callable[[Any], Any]) -> None:
        """Act on one of the rows; a refusal is fine."""
        rows = [one for one in self.rows(model) if getattr(one, "deleted_at", None) is None]
        if rows:
            try:
                act(rows[number % len(rows)])
            except InputError as error:
                assert error.message

    @property
    def at(self) -> tuple[Installation, str, str]:
        return self.inst, self.parser.team_id, self.parser.id

    @rule(who=st.integers(0, 2), which=st.integers(0, 2), position=st.integers(1, 3))
    def create(self, who: int, which: int, position: int) -> None:
        if len([one for one in self.rows(ReviewStage) if one.deleted_at is None]) < 4:
            new: Any = {"name": "Stage", "position": position, "rules": RULES[which]}
            new["review_type"] = "conditional" if which else "mandatory"
            new["reviewer_id"] = [*self.people, None][who]
            create_stage(*self.at, new)

    @rule(number=st.integers(0, 9), which=st.integers(0, 2), position=st.integers(1, 3))
    def change(self, number: int, which: int, position: int) -> None:
        kind = "conditional" if which else "mandatory"
        changes: Any = {"review_type": kind, "rules": RULES[which], "position": position}
        self.try_on(ReviewStage, number, lambda one: update_stage(*self.at, one.id, changes))

    @rule(number=st.integers(0, 9))
    def delete_stage(self, number: int) -> None:
        self.try_on(ReviewStage, number, lambda one: delete_stage(*self.at, one.id))

    @rule(total=st.sampled_from([50.0, 500.0]))
    def read(self, total: float) -> None:
        self.count += 1
        add(self.inst, self.parser, prefix=f"doc{self.count}")
        complete(self.inst, self.parser, total=total)

    @rule(number=st.integers(0, 9), who=st.integers(0, 1), act=st.sampled_from([approve, reject, reset]))
    def decide(self, number: int, who: int, act: Any) -> None:
        self.try_on(Document, number, lambda one: act(*self.at, one.id, self.people[who]))

    @rule(number=st.integers(0, 9))
    def approve_as_assigned(self, number: int) -> None:
        self.try_on(Document, number, lambda one: approve(*self.at, one.id, str(one.assignee_id)))

    @rule(number=st.integers(0, 9), who=st.integers(0, 2))
    def assign(self, number: int, who: int) -> None:
        changes: Any = {"assignee_id": [*self.people, None][who]}
        self.try_on(Document, number, lambda one: update_document(*self.at, one.id, changes))

    @rule(number=st.integers(0, 9), total=st.sampled_from([50, 500, None]))
    def correct(self, number: int, total: int | None) -> None:
        self.try_on(Document, number, lambda one: set_values(*self.at, one.id, {"Total": total}))

    @rule(number=st.integers(0, 9))
    def queue_again(self, number: int) -> None:
        self.try_on(Document, number, lambda one: reprocess(*self.at[:2], [one.id]))

    @rule(number=st.integers(0, 9))
    def delete(self, number: int) -> None:
        self.try_on(Document, number, lambda one: delete_documents(*self.at[:2], [one.id]))

    @invariant()
    def states_are_legal(self) -> None:
        if not hasattr(self, "inst"):
            return
        documents = {one.id: one for one in self.rows(Document)}
        stages = {one.id: one for one in self.rows(ReviewStage)}
        found: dict[str, list[DocumentStage]] = {one: [] for one in documents}
        for row in self.rows(DocumentStage):
            assert row.stage_id in stages
            found[row.document_id].append(row)
        for document_id, rows in found.items():
            self.check(documents[document_id], sorted(rows, key=lambda one: (one.position, one.id)))
        for event in self.rows(DocumentEvent):
            stays = event.from_status == event.to_status
            assert stays or (event.from_status, event.to_status) in POSSIBLE
        live = sorted(one.position for one in stages.values() if one.deleted_at is None)
        assert live == list(range(1, len(live) + 1))

    @staticmethod
    def check(document: Document, rows: list[DocumentStage]) -> None:
        statuses = [row.status for row in rows]
        match document.status:
            case "in_review":
                assert statuses.count("in_progress") == 1
                now = rows[statuses.index("in_progress")]
                assert now.started_at is not None
                assert now.assignee_id == document.assignee_id
                assert set(statuses[: rows.index(now)]) <= {"approved", "skipped"}
                assert "rejected" not in statuses
                assert "approved" not in statuses[rows.index(now) :]
            case "approved":
                assert set(statuses) <= {"approved", "skipped"}
                assert "approved" in statuses
                assert document.approved_at is not None
            case "rejected":
                assert statuses.count("rejected") == 1
                assert "in_progress" not in statuses
            case "processed":
                assert set(statuses) <= {"skipped"}
            case _:
                assert statuses == []
        for row in rows:
            assert (row.approved_at is not None) == (row.status == "approved")
            assert (row.rejected_at is not None) == (row.status == "rejected")
        if document.status != "approved":
            assert document.approved_at is None


@pytest.mark.slow
def test_no_sequence_of_operations_leads_to_an_illegal_state(sqlite_template: Path) -> None:
    Reviews.home = sqlite_template
    run_state_machine_as_test(
        Reviews,
        settings=settings(
            max_examples=12,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
