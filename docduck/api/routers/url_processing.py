"""Uploads by URL, to a parser in the path or in the body (spec.md, URL upload rules)."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import BaseUrl, Inst, Who
from docduck.api.request.long_poll import with_results
from docduck.api.request.params import ParserId, Wait
from docduck.api.response.openapi_responses import answers
from docduck.api.response.responses import Json
from docduck.api.route import GuardedRoute, needs
from docduck.api.routers.upload_target import chosen_parser, sender
from docduck.api.schemas.processing import CombinedUploaded, CombinedUrlUpload, Uploaded, UrlUpload
from docduck.api.serializers.processing import combined, upload_item
from docduck.service.accounts.keys import Caller
from docduck.service.core.installation import Installation
from docduck.service.previews.signed_links import file_link
from docduck.service.sources.uploads import (
    QueuedDocument,
    UploadedFile,
    UploadTarget,
    check_upload,
    register_upload,
)
from docduck.service.sources.url_uploads import check_urls, fetch_urls

router = APIRouter(tags=["Processing"], route_class=GuardedRoute)


@router.post(
    "/process/{parserId}/urls",
    summary="Upload URLs to a parser",
    openapi_extra=needs("documents:write"),
    response_model=None,
    responses=answers(Uploaded, 409, 413, 415, 503),
)
async def upload_to_parser(
    parserId: ParserId,
    body: UrlUpload,
    request: Request,
    inst: Inst,
    who: Who,
    base_url: BaseUrl,
    wait: Wait = 0,
) -> Json:
    """Fetch the files behind public URLs and queue them, when all of them are stored."""
    accepted = await _fetched(inst, who, parserId, body, request)
    items = [upload_item(one, file_link(inst, base_url, one.id)) for one in accepted]
    return Json({"success": True, "result": await with_results(inst, who.team_id, items, wait)})


@router.post(
    "/process/urls",
    summary="Upload URLs to a parser or classifier",
    openapi_extra=needs("documents:write"),
    response_model=None,
    responses=answers(CombinedUploaded, 409, 413, 415, 503),
)
async def upload_urls(
    body: CombinedUrlUpload, request: Request, inst: Inst, who: Who, base_url: BaseUrl, wait: Wait = 0
) -> Json:
    """The same, with the target in the body."""
    parser_id = await run_in_threadpool(chosen_parser, inst, who, body.parser_id, body.classifier_id)
    accepted = await _fetched(inst, who, parser_id, body, request)
    items = [combined(upload_item(one, file_link(inst, base_url, one.id)), one.parser_id) for one in accepted]
    return Json({"success": True, "result": await with_results(inst, who.team_id, items, wait)})


async def _fetched(
    inst: Installation, who: Caller, parser_id: str, body: UrlUpload, request: Request
) -> list[QueuedDocument]:
    source, detail = sender(request)
    target = UploadTarget(
        parser_id,
        len(body.urls),
        body.external_ids,
        body.custom,
        body.folder_id,
        source,
        detail,
        counted="urls",
    )
    check_urls(inst, body.urls)
    await run_in_threadpool(check_upload, inst, who.team_id, target)

    def prepare(files: list[UploadedFile]) -> Callable[[], list[QueuedDocument]]:
        check_upload(inst, who.team_id, target, files)
        return lambda: register_upload(inst, who.team_id, target, files, who.actor)

    return await fetch_urls(inst, body.urls, prepare)
