"""The settings of a parser: showing and changing them, copying the parser, and deleting it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import BaseUrl, Inst
from docduck.api.route import require
from docduck.api.schemas.parsers import ParserCopy, ParserUpdate
from docduck.errors import Forbidden, InputError, NotFound
from docduck.service.documents.cancellation import cancel_orphans
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parsers import ParserChanges, delete_parser, get_parser, update_parser
from docduck.service.schemas.upload_pages import UploadPageInput
from docduck.service.uploads.upload_pages import (
    PageOwner,
    delete_upload_page,
    put_upload_page,
    renew_upload_page,
)
from docduck.web.controls import SHOWN, changed_values, control_at, form_body, typed_values
from docduck.web.page_route import PageRoute
from docduck.web.parser_settings.controls import CONTROLS, PAGE_CONTROLS
from docduck.web.parser_settings.settings_page import SettingsPage
from docduck.web.rest_bodies import checked_body
from docduck.web.visit import CurrentMember, CurrentUser, UserForm, form_value

router = APIRouter(prefix="/parsers/{parser_ref}/settings", include_in_schema=False, route_class=PageRoute)

_PROPERTIES = ("name", "description", "isActive")
"""What a parser has beside its settings."""


async def _settings_page(
    parser_ref: str, inst: Inst, signed_in: CurrentUser, user: CurrentMember, base_url: BaseUrl
) -> SettingsPage:
    """Return the page of a user who may change parsers; raise Forbidden."""
    require(user, "parsers:write")
    return SettingsPage(inst, signed_in, user, parser_ref, base_url)


Page = Annotated[SettingsPage, Depends(_settings_page)]


@router.get("")
def show(at: Page, done: str = "") -> Response:
    """Return the page."""
    return at.shown(done=done)


@router.post("")
def save(at: Page, form: UserForm) -> Response:
    """Change what was changed in the form."""
    parser = get_parser(at.inst, at.user.team_id, at.parser_ref)
    changes = changed_values(CONTROLS, form)
    try:
        body = checked_body(ParserUpdate, changes).given()
        settings = {key: value for key, value in changes.items() if key not in _PROPERTIES}
        update_parser(
            at.inst,
            at.user.team_id,
            parser.id,
            ParserChanges(body.get("name"), body.get("description"), body.get("is_active"), settings or None),
            at.user.actor,
        )
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        typed = (typed_values(CONTROLS, form), form_value(form, SHOWN))
        return at.shown(error=error, place=control_at(CONTROLS, error.path), settings=typed)
    return _back(parser.slug, "saved")


@router.post("/upload-page")
def change_page(at: Page, form: UserForm) -> Response:
    """Save, renew or delete the upload page."""
    slug = get_parser(at.inst, at.user.team_id, at.parser_ref).slug
    owner = PageOwner("parser", slug)
    match form_value(form, "action"):
        case "save":
            try:
                body = form_body(PAGE_CONTROLS, form).get("page", {})
                page = checked_body(UploadPageInput, body).given()
                put_upload_page(at.inst, at.user.team_id, owner, page, at.user.actor)
            except (Forbidden, NotFound):
                raise
            except InputError as error:
                place = control_at(PAGE_CONTROLS, f"page.{error.path}")
                return at.shown(error=error, place=place, form=form)
            return _back(slug, "page-saved")
        case "renew":
            renew_upload_page(at.inst, at.user.team_id, owner, at.user.actor)
            return _back(slug, "page-renewed")
        case "delete":
            delete_upload_page(at.inst, at.user.team_id, owner, at.user.actor)
            return _back(slug, "page-deleted")
        case _:
            raise InputError("Choose what to do with the upload page")


@router.post("/copy")
def copy(at: Page, form: UserForm) -> Response:
    """Copy the parser."""
    parser = get_parser(at.inst, at.user.team_id, at.parser_ref)
    try:
        body = checked_body(ParserCopy, {"name": form_value(form, "copy.name")})
        duplicate = duplicate_parser(at.inst, at.user.team_id, parser.id, body.name, actor=at.user.actor)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return at.shown(error=error, place="copy.name", form=form)
    return _back(duplicate.slug, "copied")


@router.post("/delete")
def delete(at: Page, form: UserForm) -> Response:
    """Delete the parser, whose name was typed."""
    parser = get_parser(at.inst, at.user.team_id, at.parser_ref)
    try:
        if form_value(form, "delete.name").strip() != parser.name.strip():
            raise InputError("Type the name of the parser as it is shown above")
        delete_parser(at.inst, at.user.team_id, parser.id, at.user.actor)
        cancel_orphans(at.inst)
    except (Forbidden, NotFound):
        raise
    except InputError as error:
        return at.shown(error=error, place="delete.name", form=form)
    return RedirectResponse("/parsers", 303)


def _back(slug: str, done: str) -> Response:
    return RedirectResponse(f"/parsers/{slug}/settings?done={done}", 303)
