"""Files that signed-in users send: stored, and queued for the parser or classifier that they chose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.requests import Request

from docduck import clock
from docduck.api.request.file_uploads import receive
from docduck.api.request.multipart import Form as Upload
from docduck.errors import InputError
from docduck.service.uploads.file_uploads import QueuedDocument, UploadTarget, check_upload, register_upload
from docduck.web.member import Visit
from docduck.web.uploads.targets import Target, find_target
from docduck.web.visit import FORM_TOKEN, check_form_token, check_own_site

TARGET = "to"


@dataclass(frozen=True, slots=True)
class QueuedFiles:
    """The documents that were made of files; ``since`` is just before the first was queued."""

    target: Target
    documents: Sequence[QueuedDocument]
    since: str


async def queue_files(request: Request, at: Visit) -> QueuedFiles:
    """Store the files of a form and queue them for the target in its field ``to``, all or none.

    Raise InputError for what is wrong with them, Forbidden, NotFound, BodyTooSlow.
    """
    check_own_site(request, at.inst.settings)

    def prepare(form: Upload) -> Callable[[], QueuedFiles]:
        check_form_token(at.signed_in, form.fields.get(FORM_TOKEN, ""))
        if not form.files:
            raise InputError("Choose at least one file")
        chosen = find_target(*at.team, form.fields.get(TARGET, ""))
        parser_id, classifier_id = chosen.ids
        target = UploadTarget(parser_id, len(form.files), source="upload", classifier_id=classifier_id)
        check_upload(*at.team, target, form.files)

        def complete() -> QueuedFiles:
            since = clock.iso(clock.now()) or ""
            queued = register_upload(*at.team, target, form.files, at.user.actor)
            return QueuedFiles(chosen, queued, since)

        return complete

    return await receive(request, at.inst, prepare, (FORM_TOKEN, TARGET))
