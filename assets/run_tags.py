"""Tags of a run with the operations of its documents: the uploader of a document finds the run by them."""

from __future__ import annotations

import time
from collections.abc import Sequence

from dagster import DagsterInstance

from docduck.service.documents.claim import Claim
from docduck.service.documents.queries.operations import is_named, operation_name

_INTERVAL_SECONDS = 1.0


class OperationTags:
    """Add ``operations/<uuid>`` to a run's tags, at most once a second and at most ``max_tags`` in all."""

    def __init__(self, instance: DagsterInstance, run_id: str, max_tags: int) -> None:
        self._instance = instance
        self._run_id = run_id
        self._left = max_tags
        self._unwritten: list[str] = []
        self._written_at = 0.0

    def add(self, claims: Sequence[Claim]) -> None:
        """Add the operations of claimed documents; write the tags if the last time is long enough ago."""
        names = [operation_name(one.operation_id) for one in claims if is_named(one.source)]
        added = names[: self._left]
        self._left -= len(added)
        self._unwritten += added
        if time.monotonic() - self._written_at >= _INTERVAL_SECONDS:
            self.write()

    def write(self) -> None:
        """Write the tags that are not written yet."""
        if self._unwritten:
            self._instance.add_run_tags(self._run_id, dict.fromkeys(self._unwritten, ""))
            self._unwritten = []
            self._written_at = time.monotonic()
