"""Waiting for uploaded documents to be processed, without holding a thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import TypeVar

from starlette.concurrency import run_in_threadpool

from docduck.api.schemas.processing import UploadItem
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.outcomes import DocumentOutcome, outcomes

Item = TypeVar("Item", bound=UploadItem)

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 1.0


async def wait_for_results(
    inst: Installation, team_id: str, items: Sequence[Item], seconds: float
) -> list[Item]:
    """Wait at most ``seconds``, or the limit of the settings, and return the items with their results."""
    if seconds <= 0:
        return list(items)
    ids = [item.document_id for item in items]
    until = time.monotonic() + min(seconds, inst.settings.max_wait_seconds)
    pause = _FIRST_PAUSE
    found: dict[str, DocumentOutcome] = {}
    while True:
        found = await run_in_threadpool(outcomes, inst, team_id, ids)
        left = until - time.monotonic()
        if left <= 0 or all(one.is_final for one in found.values()):
            return [_with_result(item, found.get(item.document_id)) for item in items]
        await asyncio.sleep(min(pause, left))
        pause = min(_LONGEST_PAUSE, pause * 1.5)


def _with_result(item: Item, outcome: DocumentOutcome | None) -> Item:
    if outcome is None or not outcome.is_final:
        return item
    return item.model_copy(
        update={
            "is_processed": outcome.is_processed,
            "status": outcome.status,
            "message": outcome.error or f"Document is {outcome.status}",
            "page_count": outcome.page_count,
            "data": dict(outcome.data),
        }
    )
