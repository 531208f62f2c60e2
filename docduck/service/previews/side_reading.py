"""Reading a file in a side worker that may ask a language model; what that costs counts for the team."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from docduck.errors import Conflict
from docduck.extraction.extraction_settings import NO_MODEL, model_seconds
from docduck.extraction.extractors.model.asking.endpoint import Endpoints
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.models import usable_models
from docduck.extraction.result import Extraction
from docduck.service.core.installation import Installation
from docduck.service.processing.model_spending import BUDGET_SPENT, ModelBudget, record_usage
from docduck.workers.limits import Limits
from docduck.workers.pool import Job
from docduck.workers.task_queue import TaskOutcome

T = TypeVar("T")
R = TypeVar("R", bound=Extraction | None)


def usable_model(inst: Installation, team_id: str, name: str | None) -> ModelOptions:
    """Return the language model ``name``, or the one that is used where none is named.

    Raise Conflict if there is none, or the team's budget for it is spent; InputError if none has the name.
    """
    model = usable_models(inst.settings).chosen(name)
    if model is None:
        raise Conflict(NO_MODEL)
    if ModelBudget(inst).is_spent(team_id):
        raise Conflict(BUDGET_SPENT)
    return model


def read_aside(
    inst: Installation,
    kind: str,
    team_id: str,
    job: Job[T, R],
    limits: Limits,
    task: T,
    files: Iterable[Path],
    model: ModelOptions | None,
) -> TaskOutcome[R]:
    """Return the outcome of a task that asks ``model``, if one is given; raise as ``SideWorkers.pool`` does.

    The task may take the time for the model beyond its limits.
    """
    with Endpoints([model] if model else []) as endpoints:
        outcome = inst.side_workers.run(
            kind,
            team_id,
            job,
            limits,
            task,
            files,
            more_seconds=model_seconds(model),
            responder=endpoints.responder([model.name] if model else [], team_id),
        )
    if outcome.result is not None and outcome.result.usage is not None:
        with inst.catalog.transaction() as session:
            record_usage(session, [(team_id, outcome.result.usage)])
    return outcome
