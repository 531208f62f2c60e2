"""Waiting for uploaded documents to be processed, without holding a thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool

from docduck.api.schemas.processing import UploadItem
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.outcomes import DocumentOutcome, outcomes

MAX_WAIT_SECONDS = 60

Item = TypeVar("Item", bound=UploadItem)

Report = Callable[[float, float, str], Coroutine[Any, Any, None]]
"""Is told how much is done, of how much, and what that is; what is done must grow from call to call."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 1.0
_REPORT_SECONDS = 2.0


async def wait_for_results(
    inst: Installation, team_id: str, items: Sequence[Item], seconds: float, report: Report | None = None
) -> list[Item]:
    """Wait at most ``seconds``, or the limit of the settings, and return the items with their results."""
    if seconds <= 0:
        return list(items)
    outcomes = await until_final(inst, team_id, [item.document_id for item in items], seconds, report)
    return [_with_result(item, outcomes.get(item.document_id)) for item in items]


async def until_final(
    inst: Installation,
    team_id: str,
    document_ids: Sequence[str],
    seconds: float,
    report: Report | None = None,
) -> dict[str, DocumentOutcome]:
    """Wait until documents are processed, at most ``seconds`` or the limit; return their outcomes.

    All documents that came of these uploads are waited for, too, and their outcomes are returned. While it
    waits, ``report`` is called every two seconds.
    """
    longest = min(seconds, MAX_WAIT_SECONDS)
    begin = time.monotonic()
    pause, next_report = _FIRST_PAUSE, 0.0
    while True:
        documents = await run_in_threadpool(outcomes, inst, team_id, document_ids, with_parts=True)
        waited = time.monotonic() - begin
        left = longest - waited
        if left <= 0 or all(outcome.is_final for outcome in documents.values()):
            return documents
        if report is not None and waited >= next_report:
            final = sum(outcome.is_final for outcome in documents.values())
            await report(round(waited, 3), longest, f"{final} of {len(documents)} documents are read")
            next_report = waited + _REPORT_SECONDS
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
