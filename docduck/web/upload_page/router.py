"""Upload pages for visitors, who need no API key: the page, and the files that are sent.

A request is answered as a page, or as JSON to the page's own program.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, JSONResponse, Response

from docduck.api.request.current_caller import Inst, installation_of
from docduck.api.request.file_uploads import receive
from docduck.api.request.multipart import Form
from docduck.api.response.responses import request_id, response_for
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.uploads.public_upload_pages import (
    PublicPage,
    Sender,
    SentFile,
    VisitorLimit,
    check_files,
    count_file,
    find_public_page,
    register_files,
)
from docduck.service.uploads.url_uploads import MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES
from docduck.settings import Settings
from docduck.web.error_route import ErrorRoute
from docduck.web.page_route import wants_json
from docduck.web.upload_page.pages import (
    STATIC,
    form_page,
    page_headers,
    result_page,
    size_text,
)
from docduck.web.visit import check_own_site

_EMBED = "embed"
"""In the query of files that are sent from a frame: the origin of the page around it, or empty."""
_RECEIVED, _REFUSED = "Thank you", "Not accepted"


class _NoneAccepted(Exception):
    """No file of an upload is accepted; nothing is stored."""

    def __init__(self, files: Sequence[SentFile]) -> None:
        self.files = files


class _PageRoute(ErrorRoute):
    """A route whose errors are told to visitors in their words."""

    async def error_response(self, request: Request, error: Exception) -> Response:
        known = response_for(error, request_id(request))
        status = known.status_code
        title, message = _words(status, installation_of(request).settings)
        headers = page_headers()
        for name in ("Retry-After", "Connection"):
            if name in known.headers:
                headers[name] = known.headers[name]
        if isinstance(error, VisitorLimit):
            message, headers["Retry-After"] = error.message, str(error.retry_after)
        if wants_json(request):
            code = json.loads(bytes(known.body))["code"]
            return JSONResponse({"code": code, "message": message}, status, headers)
        static = STATIC if request.method in ("GET", "HEAD") else f"../{STATIC}"
        return HTMLResponse(result_page(title, message, static=static), status, headers)


router = APIRouter(include_in_schema=False, route_class=_PageRoute)


@router.get("/upload/{token}")
def page(token: str, request: Request, inst: Inst) -> Response:
    """Return the page, which may be embedded where its owner allows it."""
    public_page = find_public_page(inst, token)
    embedding = None
    if public_page.embed_origins and _is_framed(request):
        origin = _origin(request.headers.get("referer", ""))
        embedding = origin if origin in public_page.embed_origins else ""
    text = form_page(public_page, token, embedding, inst.settings)
    return HTMLResponse(text, headers=page_headers(public_page.embed_origins))


@router.post("/upload/{token}/files")
async def take_files(token: str, request: Request, inst: Inst) -> Response:
    """Store a visitor's files and queue them; tell what happened to each."""
    page = await run_in_threadpool(find_public_page, inst, token)
    # Forms of the page itself send "null", because it sends no referrer.
    check_own_site(request, inst.settings, but="null")
    sender = _sender(request, page)
    # Counted before the body is read: attempts that fail count as well.
    await run_in_threadpool(count_file, inst, page, sender.address)
    files: Sequence[SentFile]
    try:
        files, status = await receive(request, inst, _prepared(inst, page, sender)), 200
    except _NoneAccepted as error:
        files, status = error.files, 400
    headers = page_headers(page.embed_origins)
    if wants_json(request):
        problems = [
            {"name": file.name, "accepted": file.refusal is None, "message": file.refusal or "Received"}
            for file in files
        ]
        return JSONResponse({"files": problems}, status, headers)
    title = _REFUSED if status != 200 else _RECEIVED
    back = f"../{token}?{_EMBED}" if sender.is_embedded else f"../{token}"
    return HTMLResponse(result_page(title, "", files, back, static=f"../{STATIC}"), status, headers)


def _prepared(
    inst: Installation, page: PublicPage, sender: Sender
) -> Callable[[Form], Callable[[], list[SentFile]]]:
    def prepare(form: Form) -> Callable[[], list[SentFile]]:
        if not form.files:
            raise InputError("No file was sent")
        checked = check_files(inst, page, form.files, sender)
        accepted = [
            file for file, sent_file in zip(form.files, checked, strict=True) if sent_file.refusal is None
        ]
        if not accepted:
            raise _NoneAccepted(checked)

        def complete() -> list[SentFile]:
            register_files(inst, page, accepted, sender)
            return checked

        return complete

    return prepare


def _sender(request: Request, page: PublicPage) -> Sender:
    address = request.client.host if request.client else ""
    if _EMBED not in request.query_params or not page.embed_origins:
        return Sender(address)
    origin = request.query_params[_EMBED]
    return Sender(address, True, origin if origin in page.embed_origins else None)


def _is_framed(request: Request) -> bool:
    """Return whether the page is in a frame; browsers that don't say so are told by ``?embed``."""
    shown_in = request.headers.get("sec-fetch-dest")
    return _EMBED in request.query_params if shown_in is None else shown_in in ("iframe", "frame")


def _origin(url: str) -> str:
    """Return the origin of a URL; empty if it has none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}".lower() if parts.scheme and parts.netloc else ""


def _words(status: int, settings: Settings) -> tuple[str, str]:
    """Return the title and the message for visitors of an error."""
    match status:
        case 404:
            return (
                "There is no upload page here",
                "The link is wrong or no longer valid. Ask whoever gave it to you for a new one.",
            )
        case 403:
            return "Not allowed from here", "Open the link of the upload page itself."
        case 408:
            return "The upload was interrupted", "The files did not arrive in time. Try again."
        case 413:
            return (
                "The upload is too large",
                f"A file may have up to {size_text(settings.max_file_bytes)}, "
                f"all files together up to {size_text(MAX_UPLOAD_BYTES)}.",
            )
        case 429:
            return "Too many files", "Try again later."
        case 503:
            return "This page is closed for the moment", "Come again later."
        case 400:
            return (
                "Nothing was received",
                f"Choose 1 to {MAX_UPLOAD_FILES} files and send them again.",
            )
        case _:
            return "Something went wrong", "Nothing was received. Try again later."
