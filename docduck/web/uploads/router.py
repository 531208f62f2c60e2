"""Adding documents from the pages, and the progress of those that are read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

from fastapi import Query, Request
from starlette.responses import JSONResponse, Response

from docduck import clock
from docduck.api.request.multipart import Form as Upload
from docduck.errors import InputError
from docduck.service.documents.queries.reading_progress import reading_progress
from docduck.service.parsers.parser_listing import parser_names
from docduck.service.uploads.file_uploads import QueuedDocument, UploadTarget, check_upload, register_upload
from docduck.service.uploads.url_uploads import MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES
from docduck.web.member import Reader, Visit, of_member
from docduck.web.page import page_link, see_other
from docduck.web.page_route import PageRouter, wants_json
from docduck.web.rest_bodies import error_at_top, shown_on
from docduck.web.uploads.targets import Target, find_target, targets

router = PageRouter()

UPLOAD_LIMITS = (MAX_UPLOAD_FILES, MAX_UPLOAD_BYTES)
"""The most files and bytes of a request."""

To = Annotated[str, Query(max_length=300)]
Writer = Annotated[Visit, of_member("documents:write")]


@router.get("/add-documents")
def show(at: Writer, to: To = "") -> Response:
    """Return the form for files, with the parser or classifier chosen that takes them."""
    return _page(at, to)


@router.post("/add-documents")
async def add(request: Request, at: Writer) -> Response:
    """Store files of the signed-in user and queue them; scripts are told which documents they became."""

    def prepare(form: Upload) -> Callable[[], tuple[Target, str, Sequence[QueuedDocument]]]:
        if not form.files:
            raise InputError("Choose at least one file")
        chosen = find_target(*at.team, form.fields.get("to", ""))
        parser_id, classifier_id = chosen.ids
        upload = UploadTarget(parser_id, len(form.files), source="upload", classifier_id=classifier_id)
        check_upload(*at.team, upload, form.files)

        def complete() -> tuple[Target, str, Sequence[QueuedDocument]]:
            since = clock.iso(clock.now()) or ""
            return chosen, since, register_upload(*at.team, upload, form.files, at.user.actor)

        return complete

    with shown_on(partial(_page, at, "")):
        target, since, queued = await at.receive(request, prepare, "to")
    if not wants_json(request):
        return see_other(target.path)
    return JSONResponse(
        {
            "to": target.key,
            "name": target.name,
            "path": target.path,
            "since": since,
            "documents": [{"id": document.id, "name": document.name} for document in queued],
        }
    )


@router.get("/documents/progress")
def progress(at: Reader, to: To = "", since: dt.datetime | None = None) -> Response:
    """Return how many of the documents that were queued lately are read, and where they are."""
    parser_id, classifier_id = find_target(*at.team, to).ids if to else (None, None)
    if since is not None and since.tzinfo is None:
        raise InputError("Give the moment with its time zone", "since")
    state = reading_progress(*at.team, parser_id=parser_id, classifier_id=classifier_id, since=since)
    names = parser_names(*at.team)
    return JSONResponse(
        {
            "since": clock.iso(state.since),
            "total": state.total,
            "done": state.done,
            "failed": state.failed,
            "undecided": state.undecided,
            "secondsLeft": state.seconds_left,
            "parsers": [
                {"name": names[id_], "count": count, "path": page_link("/documents", parser=id_)}
                for id_, count in (state.parsers or {}).items()
                if id_ in names
            ],
            "failures": [
                {"name": failure.name, "error": failure.error, "path": f"/documents/{failure.id}"}
                for failure in state.failures
            ],
        },
        headers={"Cache-Control": "no-store"},
    )


def _page(at: Visit, to: str, error: InputError | None = None) -> Response:
    chosen = find_target(*at.team, to).key if to else ""
    parsers, classifiers = targets(*at.team)
    if not chosen and len(parsers) + len(classifiers) == 1:
        chosen = [*parsers, *classifiers][0].key
    return at.page(
        "uploads/add.html.j2",
        error=error_at_top(error),
        chosen=chosen,
        parsers=parsers,
        classifiers=classifiers,
        limits=UPLOAD_LIMITS,
    )
