"""Adding documents from the pages, and the progress of those that are read."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, RedirectResponse, Response

from docduck import clock
from docduck.api.request.current_caller import Inst
from docduck.api.route import require
from docduck.errors import BodyTooSlow, Forbidden, InputError, NotFound
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.reading_progress import reading_progress
from docduck.service.parsers.parser_listing import parser_names
from docduck.service.uploads.url_uploads import MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES
from docduck.web.page import page, page_link
from docduck.web.page_route import PageRoute, wants_json
from docduck.web.rest_bodies import error_at_top
from docduck.web.uploads.queueing import queue_files
from docduck.web.uploads.targets import find_target, targets
from docduck.web.visit import CurrentMember, CurrentUser

router = APIRouter(include_in_schema=False, route_class=PageRoute)

UPLOAD_LIMITS = (MAX_UPLOAD_FILES, MAX_UPLOAD_BYTES)
"""The most files and bytes of a request."""

To = Annotated[str, Query(max_length=300)]


@router.get("/add-documents")
def show(inst: Inst, signed_in: CurrentUser, user: CurrentMember, to: To = "") -> Response:
    """Return the form for files, with the parser or classifier chosen that takes them."""
    require(user, "documents:write")
    return _page(inst, signed_in, user, to)


@router.post("/add-documents")
async def add(request: Request, inst: Inst, signed_in: CurrentUser, user: CurrentMember) -> Response:
    """Store files of the signed-in user and queue them; scripts are told which documents they became."""
    require(user, "documents:write")
    try:
        queued = await queue_files(request, inst, signed_in, user)
    except (BodyTooSlow, Forbidden, NotFound):
        raise
    except InputError as error:
        if wants_json(request):
            raise
        return await run_in_threadpool(_page, inst, signed_in, user, "", error_at_top(error))
    if not wants_json(request):
        return RedirectResponse(queued.target.path, 303)
    return JSONResponse(
        {
            "to": queued.target.key,
            "name": queued.target.name,
            "path": queued.target.path,
            "since": queued.since,
            "documents": [{"id": one.id, "name": one.name} for one in queued.documents],
        }
    )


@router.get("/documents/progress")
def progress(inst: Inst, user: CurrentMember, to: To = "", since: dt.datetime | None = None) -> Response:
    """Return how many of the documents that were queued lately are read, and where they are."""
    require(user, "documents:read")
    parser_id, classifier_id = find_target(inst, user.team_id, to).ids if to else (None, None)
    if since is not None and since.tzinfo is None:
        raise InputError("Give the moment with its time zone", "since")
    found = reading_progress(
        inst, user.team_id, parser_id=parser_id, classifier_id=classifier_id, since=since
    )
    names = parser_names(inst, user.team_id)
    return JSONResponse(
        {
            "since": clock.iso(found.since),
            "total": found.total,
            "done": found.done,
            "failed": found.failed,
            "undecided": found.undecided,
            "secondsLeft": found.seconds_left,
            "parsers": [
                {"name": names[id_], "count": count, "path": page_link("/documents", parser=id_)}
                for id_, count in (found.parsers or {}).items()
                if id_ in names
            ],
            "failures": [
                {"name": one.name, "error": one.error, "path": f"/documents/{one.id}"}
                for one in found.failures
            ],
        },
        headers={"Cache-Control": "no-store"},
    )


def _page(
    inst: Installation, signed_in: SignedIn, user: TeamUser, to: str, error: InputError | None = None
) -> Response:
    chosen = find_target(inst, user.team_id, to).key if to else ""
    parsers, classifiers = targets(inst, user.team_id)
    if not chosen and len(parsers) + len(classifiers) == 1:
        chosen = [*parsers, *classifiers][0].key
    return page(
        "uploads/add.html.j2",
        signed_in,
        error=error,
        chosen=chosen,
        parsers=parsers,
        classifiers=classifiers,
        limits=UPLOAD_LIMITS,
    )
