"""Operations as JSON (contract C7)."""

from __future__ import annotations

from typing import Any

from docduck.service.documents.operations import Operation
from docduck.statuses import Status

_UNDER_WAY = (Status.UPLOADING, Status.QUEUED, Status.PROCESSING)


def operation_view(one: Operation, dagster_url: str | None) -> dict[str, Any]:
    """An operation; ``dagster_url`` is where its run can be seen."""
    linked = one.run_id is not None and dagster_url is not None
    view: dict[str, Any] = {
        "name": one.name,
        "done": one.done,
        "documentId": one.document_id,
        "status": "processing" if one.status in _UNDER_WAY else str(one.status),
        "runId": one.run_id,
        "runUrl": f"{str(dagster_url).rstrip('/')}/runs/{one.run_id}" if linked else None,
    }
    return view if one.error is None else {**view, "error": one.error}
