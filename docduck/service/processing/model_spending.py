"""What teams spend on language models: a ledger by calendar month, and the budget that ends it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import ModelUsage
from docduck.service.core.installation import Installation
from docduck.service.processing.extraction_outcome import ExtractionOutcome

BUDGET_SPENT = "The team's budget for the language model is spent for this month"

_MILLION = 1_000_000
_KNOWN_SECONDS = 1.0
_SUMMED = ("documents", "requests", "input_tokens", "output_tokens", "cost_micros")
_LONGEST_NAME = 200


def record_usage(session: Session, outcomes: Sequence[ExtractionOutcome]) -> None:
    """Add to the ledger what a model took for these outcomes."""
    moment = clock.now()
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for outcome in outcomes:
        usage = outcome.extraction.usage if outcome.extraction else None
        if usage is None or not usage.requests:
            continue
        team, model = outcome.claim.team_id, usage.model[:_LONGEST_NAME]
        fresh = {"team_id": team, "month": f"{moment:%Y-%m}", "model": model, "updated_at": moment}
        row = rows.setdefault((team, model), {**fresh, **dict.fromkeys(_SUMMED, 0)})
        row["documents"] += 1
        row["requests"] += usage.requests
        row["input_tokens"] += usage.input_tokens
        row["output_tokens"] += usage.output_tokens
        row["cost_micros"] += round(usage.cost * _MILLION)
    if not rows:
        return
    dialect: Any = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    statement = dialect.insert(ModelUsage)
    added = {name: getattr(ModelUsage, name) + statement.excluded[name] for name in _SUMMED}
    statement = statement.on_conflict_do_update(
        index_elements=["team_id", "month", "model"],
        set_={**added, "updated_at": statement.excluded.updated_at},
    )
    # In one order everywhere, so that two runs don't wait for each other's rows.
    session.connection().execute(statement, [rows[place] for place in sorted(rows)])


def spent_this_month(inst: Installation, team_id: str) -> float:
    """What a team spent on models in the present calendar month (UTC), in the prices' currency."""
    month = f"{clock.now():%Y-%m}"
    with inst.catalog.read_session() as session:
        micros = session.scalar(
            select(func.sum(ModelUsage.cost_micros)).where(
                ModelUsage.team_id == team_id, ModelUsage.month == month
            )
        )
    return int(micros or 0) / _MILLION


class ModelBudget:
    """Whether teams may still spend on the model; looked up again after a moment.

    Documents in hand when the budget ends are read to their end.
    """

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._known: dict[str, tuple[float, bool]] = {}

    def is_spent(self, team_id: str) -> bool:
        """Whether the team has reached its budget of this month."""
        budget = self._inst.settings.model_monthly_budget
        if budget is None:
            return False
        at, spent = self._known.get(team_id, (0.0, False))
        if time.monotonic() - at >= _KNOWN_SECONDS:
            spent = spent_this_month(self._inst, team_id) >= budget
            self._known[team_id] = time.monotonic(), spent
        return spent
