"""``PUT`` or ``POST /uploads/…``: the file of a link from the tool ``create_upload_url``, as the body."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from docduck.api.request.body import chunks
from docduck.api.request.current_caller import BaseUrl, Inst
from docduck.api.response.upload_items import upload_item
from docduck.api.route import Route
from docduck.api.schemas.processing import Uploaded
from docduck.documents.detection.sniff import stream_type
from docduck.errors import InputError
from docduck.files.writing import FileTooLarge
from docduck.service.core.installation import Installation
from docduck.service.sources.upload_links import find_terms, register_file
from docduck.service.sources.uploads import UploadedFile

router = APIRouter(include_in_schema=False, route_class=Route)

_CHUNK_BYTES = 256 * 1024


@router.api_route("/uploads/{token}", methods=["PUT", "POST"])
async def upload(token: str, request: Request, inst: Inst, base_url: BaseUrl) -> Uploaded:
    """Store the file and queue it; a link takes one file, until it expires."""
    terms = await run_in_threadpool(find_terms, inst, token)
    if request.headers.get("content-type", "").lower().startswith("multipart/"):
        raise InputError("Send the file itself as the body, not a form")
    file = await _received(request, inst, terms.name)
    queued = await run_in_threadpool(register_file, inst, terms, file)
    return Uploaded(success=True, result=[upload_item(inst, base_url, queued)])


async def _received(request: Request, inst: Installation, name: str) -> UploadedFile:
    """Write the body to the file store piece by piece; raise TooLarge and keep nothing."""
    limit = inst.settings.max_file_bytes
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise FileTooLarge
    batch = inst.files.batch()
    incoming = await run_in_threadpool(batch.begin, limit)
    held = bytearray()

    def finish() -> UploadedFile:
        with batch:
            incoming.write(bytes(held))
            stored = incoming.finish()
            with batch.open(stored) as stream:
                return UploadedFile(name, stored, stream_type(stream, name))

    try:
        async for chunk in chunks(request, inst.settings.api_body_seconds):
            held += chunk
            if len(held) >= _CHUNK_BYTES:
                piece, held = bytes(held), bytearray()
                await run_in_threadpool(incoming.write, piece)
    except BaseException as error:
        await run_in_threadpool(batch.__exit__, type(error), error, None)
        raise
    return await run_in_threadpool(finish)
