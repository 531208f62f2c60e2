"""Waiting for documents to be done, without holding a thread (contract C7, ``wait``)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool

from docduck.service.core.installation import Installation
from docduck.service.documents.outcomes import DocumentOutcome, outcomes

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 1.0


async def with_results(
    inst: Installation, team_id: str, items: Sequence[dict[str, Any]], seconds: float
) -> list[dict[str, Any]]:
    """Upload result items, with what has become of them within ``seconds`` (at most the setting's)."""
    if seconds <= 0:
        return list(items)
    ids = [item["documentId"] for item in items]
    until = time.monotonic() + min(seconds, inst.settings.max_wait_seconds)
    pause = _FIRST_PAUSE
    found: dict[str, DocumentOutcome] = {}
    while True:
        found = await run_in_threadpool(outcomes, inst, team_id, ids)
        left = until - time.monotonic()
        if left <= 0 or all(one.is_final for one in found.values()):
            return [_with_result(item, found.get(item["documentId"])) for item in items]
        await asyncio.sleep(min(pause, left))
        pause = min(_LONGEST_PAUSE, pause * 1.5)


def _with_result(item: dict[str, Any], outcome: DocumentOutcome | None) -> dict[str, Any]:
    if outcome is None or not outcome.is_final:
        return item
    done = {
        **item,
        "isProcessed": outcome.is_processed,
        "status": outcome.status,
        "message": outcome.error or f"Document is {outcome.status}",
        "pageCount": outcome.page_count,
        "data": outcome.data,
    }
    return done
