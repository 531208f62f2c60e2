"""The tag of a run with the operations of its documents, which their uploaders know by these names."""

from __future__ import annotations

import time
from collections.abc import Sequence

from dagster import DagsterInstance

from docduck.service.documents.claim import Claim
from docduck.service.documents.queries.operations import is_named

OPERATIONS_TAG = "docduck/operations"
_INTERVAL_SECONDS = 1.0


class OperationsTag:
    """List operations in one tag of a run, written at most once a second; at most ``most`` operations."""

    def __init__(self, instance: DagsterInstance, run_id: str, most: int) -> None:
        self._instance = instance
        self._run_id = run_id
        self._most = most
        self._ids: list[str] = []
        self._is_written = True
        self._written_at = 0.0

    def add(self, claims: Sequence[Claim]) -> None:
        """Add the operations of claimed documents; write the tag if the last time is long enough ago."""
        added = [claim.operation_id for claim in claims if is_named(claim.source)][
            : self._most - len(self._ids)
        ]
        if added:
            self._ids += added
            self._is_written = False
        if time.monotonic() - self._written_at >= _INTERVAL_SECONDS:
            self.write()

    def write(self) -> None:
        """Write the tag if operations were added since the last time."""
        if not self._is_written:
            self._instance.add_run_tags(self._run_id, {OPERATIONS_TAG: " ".join(self._ids)})
            self._is_written = True
            self._written_at = time.monotonic()
