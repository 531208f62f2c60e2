"""The settings of a parser: showing and changing them, copying the parser, and deleting it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from starlette.responses import Response

from docduck.api.request.current_caller import BaseUrl
from docduck.api.schemas.parsers import ParserCopy, ParserUpdate
from docduck.errors import InputError, NotFound
from docduck.extraction.models import usable_models
from docduck.fields import FieldType
from docduck.service.core.schema import Values
from docduck.service.documents.cancellation import cancel_orphans
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parsers import ParserChanges, ParserView, delete_parser, update_parser
from docduck.service.schemas.upload_pages import UploadPageInput, UploadPageSettings
from docduck.service.uploads.upload_pages import (
    PageOwner,
    UploadPageView,
    delete_upload_page,
    get_upload_page,
    put_upload_page,
    renew_upload_page,
)
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page import see_other
from docduck.web.page_route import PageRouter
from docduck.web.parser_settings.controls import FORM, PAGE_FORM
from docduck.web.rest_bodies import checked_body, error_at, shown_on
from docduck.web.visit import Form, UserForm, form_value

router = PageRouter("/parsers/{parser_ref}/settings")

_DONE = {
    "saved": "The settings are saved. They apply to documents that are read from now on.",
    "page-saved": "The upload page is saved.",
    "page-renewed": "The upload page has a new link. The former one is no longer valid.",
    "page-deleted": "The upload page is deleted.",
    "copied": "This is the copy. Documents, the mail address and the upload page are not copied.",
}

Writer = Annotated[ParserVisit, of_parser("parsers:write")]


@router.get("")
def show(at: Writer, base_url: BaseUrl, done: str = "") -> Response:
    """Return the page."""
    return _page(at, base_url, done=_DONE.get(done, ""))


@router.post("")
def save(form: UserForm, at: Writer, base_url: BaseUrl) -> Response:
    """Change what was changed in the form."""
    changes = FORM.changes(form)
    with shown_on(lambda error: _page(at, base_url, FORM.placed(error), settings=form)):
        body = checked_body(ParserUpdate, changes).sent_values()
        update_parser(*at.of_parser, ParserChanges.of(body), at.user.actor)
    return at.back("settings", done="saved")


@router.post("/upload-page")
def change_page(form: UserForm, at: Writer, base_url: BaseUrl) -> Response:
    """Save, renew or delete the upload page."""
    owner = PageOwner("parser", at.parser.slug)
    match form_value(form, "action"):
        case "save":
            with shown_on(lambda error: _page(at, base_url, PAGE_FORM.placed(error, "page."), form=form)):
                put_upload_page(*at.team, owner, _page_settings(_upload_page(at), form), at.user.actor)
            return at.back("settings", done="page-saved")
        case "renew":
            renew_upload_page(*at.team, owner, at.user.actor)
            return at.back("settings", done="page-renewed")
        case "delete":
            delete_upload_page(*at.team, owner, at.user.actor)
            return at.back("settings", done="page-deleted")
        case _:
            raise InputError("Choose what to do with the upload page")


@router.post("/copy")
def copy(form: UserForm, at: Writer, base_url: BaseUrl) -> Response:
    """Copy the parser."""
    with shown_on(lambda error: _page(at, base_url, error_at(error, "copy.name"), form=form)):
        body = checked_body(ParserCopy, {"name": form_value(form, "copy.name")})
        duplicate = duplicate_parser(*at.of_parser, body.name, actor=at.user.actor)
    return see_other(f"/parsers/{duplicate.slug}/settings", done="copied")


@router.post("/delete")
def delete(form: UserForm, at: Writer, base_url: BaseUrl) -> Response:
    """Delete the parser, whose name was typed."""
    with shown_on(lambda error: _page(at, base_url, error_at(error, "delete.name"), form=form)):
        if form_value(form, "delete.name").strip() != at.parser.name.strip():
            raise InputError("Type the name of the parser as it is shown above")
        delete_parser(*at.of_parser, at.user.actor)
        cancel_orphans(at.inst)
    return see_other("/parsers")


def _page(
    at: ParserVisit,
    base_url: str,
    error: InputError | None = None,
    *,
    settings: Form | None = None,
    form: Form | None = None,
    done: str = "",
) -> Response:
    """Return the page; ``settings`` is the form of the settings if it was sent, ``form`` another one."""
    upload_page = _upload_page(at)
    return at.page(
        "parser_settings/settings.html.j2",
        done=done,
        **FORM.shown_settings(
            at.parser, settings, error, usable_models(at.inst.settings), _fields(at.parser)
        ),
        upload_page=upload_page,
        page_form=_page_form(upload_page, form),
        base_url=base_url,
        form={name: form_value(form, name) for name in form} if form else {},
    )


def _upload_page(at: ParserVisit) -> UploadPageView | None:
    try:
        return get_upload_page(*at.team, PageOwner("parser", at.parser.slug))
    except NotFound:
        return None


def _page_settings(stored: UploadPageView | None, form: Form) -> Values:
    """Return the stored settings of the upload page with what was changed in the form, or all of a new page.

    What was changed elsewhere meanwhile stays. Raise InputError.
    """
    body = PAGE_FORM.changes(form) if stored else PAGE_FORM.body(form)
    changes = checked_body(UploadPageInput, body.get("page", {})).sent_values()
    return {**dict(UploadPageSettings.of(stored)), **changes} if stored else changes


def _page_form(stored: UploadPageView | None, form: Form | None) -> Mapping[str, object]:
    """Return what the form of the upload page holds, typed, stored or by default, and what it showed."""
    settings = stored or UploadPageSettings.of_values({})
    typed = form if form and "page.title" in form else None
    return PAGE_FORM.shown({"page": settings.model_dump(mode="json", by_alias=True)}, typed)


def _fields(parser: ParserView) -> Mapping[str, str]:
    return {
        str(field.id): field.name
        for field in parser.fields
        if field.type not in (FieldType.TABLE, FieldType.LIST)
    }
