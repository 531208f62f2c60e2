"""Uploads by URL, to a parser in the path or in the body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import Request
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import Call, CurrentCall
from docduck.api.request.lanes import Classifications
from docduck.api.request.long_poll import wait_for_results
from docduck.api.request.params import ParserId, Wait
from docduck.api.response.openapi import error_responses
from docduck.api.response.upload_items import upload_item
from docduck.api.route import ResourceRouter
from docduck.api.routers.uploads.combined_items import combined_items
from docduck.api.routers.uploads.upload_target import chosen_target, sender
from docduck.api.schemas.processing import CombinedUploaded, CombinedUrlUpload, Uploaded, UrlUpload
from docduck.service.uploads.file_uploads import (
    QueuedDocument,
    UploadedFile,
    UploadTarget,
    check_upload,
    register_upload,
    registered_before,
)
from docduck.service.uploads.url_uploads import check_urls, fetch_urls

router = ResourceRouter("", "Processing", write="documents:write")


@router.post(
    "/process/{parserId}/urls",
    summary="Upload URLs to a parser",
    operation_id="process.urls",
    responses=error_responses(415, 503),
)
async def upload_to_parser(
    parserId: ParserId, body: UrlUpload, request: Request, call: CurrentCall, wait: Wait = 0
) -> Uploaded:
    """Fetch the files behind public URLs and queue them, when all of them are stored."""
    accepted = await _fetched(call, (parserId, None), body, sender(request))
    items = [upload_item(call.inst, call.base_url, document) for document in accepted]
    return Uploaded(success=True, result=await wait_for_results(*call.team, items, wait))


@router.post(
    "/process/urls",
    summary="Upload URLs to a parser or classifier",
    operation_id="process.urls_to_classifier",
    responses=error_responses(415, 503),
)
async def upload_urls(
    body: CombinedUrlUpload, request: Request, call: CurrentCall, lane: Classifications, wait: Wait = 0
) -> CombinedUploaded:
    """Fetch the files behind public URLs and queue them; the body names the target.

    A classifier's documents are routed to parsers before the response, if that takes no longer than a time
    limit of the server; otherwise their routing status is `pending`.
    """
    accepted = await fetched_for_target(call, body, sender(request))
    result = await combined_items(*call.team, lane, call.base_url, accepted, wait)
    return CombinedUploaded(success=True, result=result)


async def fetched_for_target(
    call: Call,
    body: CombinedUrlUpload,
    sent_by: tuple[str, dict[str, Any] | None],
    seconds: float | None = None,
) -> list[QueuedDocument]:
    """Fetch files within ``seconds``, if given, and queue them for the parser or classifier of the body."""
    target = await run_in_threadpool(chosen_target, call, body.parser_id, body.classifier_id)
    return await _fetched(call, target, body, sent_by, seconds)


async def _fetched(
    call: Call,
    receiver: tuple[str | None, str | None],
    body: UrlUpload,
    sent_by: tuple[str, dict[str, Any] | None],
    seconds: float | None = None,
) -> list[QueuedDocument]:
    source, detail = sent_by
    parser_id, classifier_id = receiver
    target = UploadTarget(
        parser_id,
        len(body.urls),
        body.external_ids,
        body.custom,
        body.folder_id,
        source,
        detail,
        counted="urls",
        classifier_id=classifier_id,
    )
    if (known := await run_in_threadpool(registered_before, *call.team)) is not None:
        return known
    check_urls(call.inst, body.urls)
    await run_in_threadpool(check_upload, *call.team, target)

    def prepare(files: list[UploadedFile]) -> Callable[[], list[QueuedDocument]]:
        check_upload(*call.team, target, files)
        return lambda: register_upload(*call.team, target, files, call.actor)

    return await fetch_urls(call.inst, body.urls, prepare, seconds)
