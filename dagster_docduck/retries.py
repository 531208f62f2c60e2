"""Retries of jobs: of steps that fail temporarily, and of runs whose process ended."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dagster import RetryRequested

from docduck.errors import DocduckError

MAX_RETRIES = 3
RETRY_SECONDS = 20.0

RETRY_TAGS = {"dagster/max_retries": str(MAX_RETRIES), "dagster/retry_on_asset_or_op_failure": "false"}
"""Tags of jobs that Dagster starts again if their process ends; a step that fails decides for itself."""

NO_RETRY_TAGS = {"dagster/max_retries": "0"}
"""Tags of jobs that are not started again: a sensor starts a run while documents are queued."""


@contextmanager
def retrying() -> Iterator[None]:
    """Have Dagster try the step again after an error that is temporary."""
    try:
        yield
    except DocduckError as error:
        if not error.retryable:
            raise
        raise RetryRequested(max_retries=MAX_RETRIES, seconds_to_wait=RETRY_SECONDS) from error
