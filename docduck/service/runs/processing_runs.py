"""Runs that process documents: which ones do, and when another may start.

The sensors apply these rules to Dagster's instance, ``run_starter`` to its GraphQL API.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from docduck import clock

LOCATION = "docduck"
"""The name of docduck's code location."""
SERVER_FOLDER = "DOCDUCK_SERVER_FOLDER"
"""The environment variable with the folder for the sockets of Dagster's servers."""

SOURCES, EXPORTS = "sources", "exports"
"""The first part of the asset keys of sources and of exports, whose runs process no documents."""

UPLOAD = "upload"
"""The job that ingests from the sources and processes queued documents."""

SELECTED_ASSETS = "__ASSET_JOB"
"""The job in which Dagster's UI materialises selected assets. Dagster has no public name for it."""

FAILURE_REASON_TAG = "dagster/failure_reason"
"""The tag in which Dagster says why a run failed. It has no public name."""

BLOCKED_TAG = "docduck/blocked_by"
"""The tag of a run with the blocking checks that failed."""

_OWN_FAULT = frozenset({"STEP_FAILURE", "RUN_EXCEPTION", "JOB_INITIALIZATION_FAILURE"})

LIVE_STATUSES = ("QUEUED", "NOT_STARTED", "STARTING", "STARTED")
FINISHED_STATUSES = ("SUCCESS", "FAILURE")

LOOK_BACK_SECONDS = 3600.0
MAX_FINISHED = 100
"""Only so many runs that finished within ``LOOK_BACK_SECONDS`` are examined for failures."""

MAX_RETRY_SECONDS = 300.0
MAX_FAILURES = 6
"""The delay grows no more after so many failures in a row."""

_FIRST_RETRY_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Run:
    """A run of Dagster; ``assets`` are the keys that it is limited to, None without a limit.

    ``location`` is the name of its code location, None if unknown.
    ``has_failed`` is told by ``has_failed_by_itself``.
    """

    id: str
    job: str
    assets: Collection[Sequence[str]] | None
    has_failed: bool = False
    ended_at: float | None = None
    location: str | None = None

    @property
    def processes_documents(self) -> bool:
        if self.location not in (None, LOCATION):
            return False
        if self.job == UPLOAD:
            return True
        if self.job != SELECTED_ASSETS:
            return False
        return self.assets is None or any(key[0] not in (SOURCES, EXPORTS) for key in self.assets)


def has_failed_by_itself(tags: Mapping[str, str]) -> bool:
    """Return whether a run with these tags failed by a fault that another run may meet, too.

    One that was killed did not, nor one whose documents fail a blocking check: another may start at once.
    """
    return tags.get(FAILURE_REASON_TAG) in _OWN_FAULT and BLOCKED_TAG not in tags


def processing_run(live: Iterable[Run]) -> Run | None:
    """Return one of the ``live`` runs that processes documents. It processes those of all parsers."""
    return next((run for run in live if run.processes_documents), None)


def retry_seconds(finished: Iterable[Run]) -> float:
    """Return the seconds to wait before another run if the last ones failed; the newest comes first."""
    return delay_seconds(run for run in finished if run.processes_documents)


def failures_in_a_row(runs: Iterable[Run]) -> list[Run]:
    """Return the newest of these ``runs`` as far as they failed, at most ``MAX_FAILURES``."""
    return list(islice(takewhile(lambda run: run.has_failed, runs), MAX_FAILURES))


def delay_seconds(runs: Iterable[Run]) -> float:
    """Return the seconds to wait after these ``runs``; the delay doubles with each failure in a row."""
    failures = failures_in_a_row(runs)
    if not failures:
        return 0.0
    delay = min(_FIRST_RETRY_SECONDS * 2.0 ** len(failures), MAX_RETRY_SECONDS)
    last_end = max(run.ended_at or 0.0 for run in failures)
    return max(0.0, last_end + delay - clock.now().timestamp())
