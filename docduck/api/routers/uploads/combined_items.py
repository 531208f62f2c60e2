"""The items of uploads whose target was in the body: to a parser, or to a classifier, which routes them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

from starlette.concurrency import run_in_threadpool

from docduck.api.request.lane import Lane
from docduck.api.request.long_poll import Report, wait_for_results
from docduck.api.response.upload_items import combined_upload_item, with_routing
from docduck.api.schemas.processing import CombinedUploadItem
from docduck.errors import TooMany, Transient
from docduck.service.classifiers.routed_documents import routed_documents
from docduck.service.core.installation import Installation
from docduck.service.requests.inline_classification import CLASSIFY_SECONDS, classify_uploads
from docduck.service.uploads.file_uploads import QueuedDocument

_SHORTEST_WAIT = 0.001
"""Of a request that asked to wait: its documents may be final already."""


async def combined_items(
    inst: Installation,
    team_id: str,
    lane: Lane | None,
    base_url: str,
    accepted: Sequence[QueuedDocument],
    wait: float,
    report: Report | None = None,
) -> list[CombinedUploadItem]:
    """Return the items of an upload, after at most ``wait`` seconds with the results of processing.

    A classifier's documents are routed first, in turns of ``lane`` if there is one, within a time limit.
    """
    begin = time.monotonic()
    items = [combined_upload_item(inst, base_url, document) for document in accepted]
    ids = [document.id for document in accepted if document.classifier_id is not None]
    if ids and lane is not None:
        await _classify(inst, team_id, lane, ids, begin + CLASSIFY_SECONDS)
    if wait:
        left = max(_SHORTEST_WAIT, wait - (time.monotonic() - begin))
        items = await wait_for_results(inst, team_id, items, left, report)
    if not ids:
        return items
    routed = await run_in_threadpool(routed_documents, inst, team_id, ids)
    return [with_routing(item, routed[item.id]) if item.id in routed else item for item in items]


async def _classify(
    inst: Installation, team_id: str, lane: Lane, document_ids: Sequence[str], end: float
) -> None:
    """Classify documents until ``end``; without a turn by then, they are left to a run."""

    def classify() -> None:
        classify_uploads(inst, team_id, document_ids, end - time.monotonic())

    with suppress(TooMany, Transient):
        await lane.run(team_id, classify)
