"""Costs of language models by document, and by team and month; and the monthly budget."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, ModelUsage
from docduck.catalog.upsert import upsert
from docduck.extraction.model_usage import ModelUsage as Usage
from docduck.service.core.installation import Installation
from docduck.service.processing.extraction_outcome import ExtractionOutcome

BUDGET_SPENT = "The team's budget for the language model is spent for this month"

_MILLION = 1_000_000
_KNOWN_SECONDS = 1.0
_SUMMED = ("documents", "requests", "input_tokens", "output_tokens", "cost_micros")
_LONGEST_NAME = 200


def record_usage(session: Session, used: Iterable[tuple[str, Usage | None]]) -> None:
    """Add model usage of documents, each with the id of its team, to the ledger."""
    moment = clock.now()
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for team, usage in used:
        if usage is None or not usage.requests:
            continue
        model = usage.model[:_LONGEST_NAME]
        fresh = {"team_id": team, "month": f"{moment:%Y-%m}", "model": model, "updated_at": moment}
        row = rows.setdefault((team, model), {**fresh, **dict.fromkeys(_SUMMED, 0)})
        row["documents"] += 1
        row["requests"] += usage.requests
        row["input_tokens"] += usage.input_tokens
        row["output_tokens"] += usage.output_tokens
        row["cost_micros"] += round(usage.cost * _MILLION)
    if not rows:
        return
    # Sorted, so that concurrent runs lock the rows in the same order.
    sorted_rows = [rows[key] for key in sorted(rows)]
    upsert(
        session, ModelUsage, sorted_rows, ["team_id", "month", "model"], add=_SUMMED, replace=["updated_at"]
    )


def record_document_usage(session: Session, outcomes: Sequence[ExtractionOutcome]) -> None:
    """Add the outcomes' model usage to that of their documents, which the session has locked."""
    used = {r.claim.document_id: r.usage for r in outcomes if r.usage is not None and r.usage.requests}
    if not used:
        return
    before = session.execute(select(Document.id, Document.model_usage).where(Document.id.in_(used)))
    for document_id, stored in before:
        by_model = {entry["model"]: Usage(**entry) for entry in stored or ()}
        now = used[document_id]
        by_model[now.model] = now.added(by_model.get(now.model))
        session.execute(
            update(Document)
            .where(Document.id == document_id)
            .values(model_usage=[asdict(usage) for usage in by_model.values()])
        )


def spent_this_month(inst: Installation, team_id: str) -> float:
    """Return what a team has spent on models in this calendar month (UTC), in the currency of the prices."""
    month = f"{clock.now():%Y-%m}"
    with inst.catalog.read_session() as session:
        micros = session.scalar(
            select(func.sum(ModelUsage.cost_micros)).where(
                ModelUsage.team_id == team_id, ModelUsage.month == month
            )
        )
    return int(micros or 0) / _MILLION


class ModelBudget:
    """Check teams' monthly budgets; the sums are cached for a second.

    Documents that are being processed when the budget runs out are finished.
    """

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._known: dict[str, tuple[float, bool]] = {}

    def is_spent(self, team_id: str) -> bool:
        """Return whether the team has reached its budget of this month."""
        budget = self._inst.settings.model_monthly_budget
        if budget is None:
            return False
        at, spent = self._known.get(team_id, (0.0, False))
        if time.monotonic() - at >= _KNOWN_SECONDS:
            spent = spent_this_month(self._inst, team_id) >= budget
            self._known[team_id] = time.monotonic(), spent
        return spent
