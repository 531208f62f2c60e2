"""The operations of a run as its tags, so that whoever uploaded a document finds the run in Dagster."""

from __future__ import annotations

import time
from collections.abc import Sequence

from dagster import DagsterInstance

from docduck.service.documents.claim import Claim
from docduck.service.documents.operations import is_named, operation_name

_SECONDS = 1.0


class OperationTags:
    """Writes ``operations/<uuid>`` to a run's tags, at most once a second and at most ``most`` in all."""

    def __init__(self, instance: DagsterInstance, run_id: str, most: int) -> None:
        self._instance = instance
        self._run_id = run_id
        self._left = most
        self._waiting: list[str] = []
        self._written = 0.0

    def __call__(self, claims: Sequence[Claim]) -> None:
        """Note the operations of documents that the run has claimed, if any, and write what is due."""
        names = [operation_name(one.operation_id) for one in claims if is_named(one.source)]
        taken = names[: self._left]
        self._left -= len(taken)
        self._waiting += taken
        if time.monotonic() - self._written >= _SECONDS:
            self.write()

    def write(self) -> None:
        """Write what was noted and is not written yet."""
        if self._waiting:
            self._instance.add_run_tags(self._run_id, dict.fromkeys(self._waiting, ""))
            self._waiting = []
            self._written = time.monotonic()
