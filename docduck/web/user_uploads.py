"""Files that signed-in users send from the pages of parsers and classifiers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from starlette.requests import Request

from docduck.api.request.file_uploads import receive
from docduck.api.request.multipart import Form as Upload
from docduck.errors import BodyTooSlow, Forbidden, InputError, NotFound
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.uploads.file_uploads import UploadTarget, check_upload, register_upload
from docduck.web.rest_bodies import error_at_top
from docduck.web.visit import FORM_TOKEN, check_form_token, check_own_site


async def queue_files(
    request: Request, inst: Installation, signed_in: SignedIn, user: TeamUser, target: UploadTarget
) -> InputError | None:
    """Store the files of a form and queue them for a parser or classifier, whatever count ``target`` has.

    Return what is wrong with them, to be told at the form; raise Forbidden, NotFound, BodyTooSlow.
    """
    check_own_site(request, inst.settings)

    def prepare(form: Upload) -> Callable[[], object]:
        check_form_token(signed_in, form.fields.get(FORM_TOKEN, ""))
        if not form.files:
            raise InputError("Choose at least one file")
        counted = replace(target, count=len(form.files))
        check_upload(inst, user.team_id, counted, form.files)
        return lambda: register_upload(inst, user.team_id, counted, form.files, user.actor)

    try:
        await receive(request, inst, prepare, (FORM_TOKEN,))
    except (BodyTooSlow, Forbidden, NotFound):
        raise
    except InputError as error:
        return error_at_top(error)
    return None
