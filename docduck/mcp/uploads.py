"""``PUT`` or ``POST /uploads/…``: the file of a link from the tool ``create_upload_url``, as the body."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import BaseUrl, Inst
from docduck.api.request.file_uploads import receive_files
from docduck.api.request.lanes import Classifications
from docduck.api.route import Route
from docduck.api.routers.uploads.combined_items import combined_items
from docduck.api.schemas.processing import CombinedUploaded
from docduck.documents.detection.sniff import stream_type
from docduck.errors import InputError
from docduck.files.writing import FileTooLarge
from docduck.service.core.installation import Installation
from docduck.service.uploads.file_uploads import QueuedDocument, UploadedFile
from docduck.service.uploads.upload_links import UploadTerms, check_terms, find_terms, register_file

router = APIRouter(include_in_schema=False, route_class=Route)


@router.api_route("/uploads/{token}", methods=["PUT", "POST"])
async def upload(
    token: str, request: Request, inst: Inst, lane: Classifications, base_url: BaseUrl
) -> CombinedUploaded:
    """Store the file and queue it; a link takes one file, until it expires."""
    terms = await run_in_threadpool(find_terms, inst, token)
    if request.headers.get("content-type", "").lower().startswith("multipart/"):
        raise InputError("Send the file itself as the body, not a form")
    queued = await _received(request, inst, terms)
    result = await combined_items(inst, terms.team_id, lane, base_url, [queued], 0)
    return CombinedUploaded(success=True, result=result)


async def _received(request: Request, inst: Installation, terms: UploadTerms) -> QueuedDocument:
    """Store the body as the file of a link, and queue it; raise InputError if it is empty, TooLarge.

    Nothing is kept of a body that is refused or breaks off, and the link is not used up.
    """
    limit = inst.settings.max_file_bytes
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise FileTooLarge
    batch = inst.files.batch()
    incoming = await run_in_threadpool(batch.begin, limit)

    def close() -> Callable[[], QueuedDocument]:
        stored = incoming.finish()
        if not stored.size:
            raise InputError("The body is empty: send the file itself as the body")
        with batch.open(stored) as stream:
            file = UploadedFile(terms.name, stored, stream_type(stream, terms.name))
        check_terms(inst, terms, [file])
        return lambda: register_file(inst, terms, file)

    return await receive_files(request, batch, incoming.write, close)
