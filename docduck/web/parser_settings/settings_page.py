"""The page of the settings, as its forms show it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.responses import Response

from docduck.errors import InputError, NotFound
from docduck.fields import FieldType
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.service.parsers.settings_schema import ParserSettings
from docduck.service.schemas.upload_pages import UploadPageSettings
from docduck.service.uploads.upload_pages import PageOwner, UploadPageView, get_upload_page
from docduck.web.controls import SHOWN, Raw, file_types, open_sections, raw_values, typed_values
from docduck.web.page import page
from docduck.web.parser_settings.controls import CONTROLS, PAGE_CONTROLS, SECTIONS, raw_settings
from docduck.web.rest_bodies import error_at
from docduck.web.visit import Form, form_value

_DONE = {
    "saved": "The settings are saved. They apply to documents that are read from now on.",
    "page-saved": "The upload page is saved.",
    "page-renewed": "The upload page has a new link. The former one is no longer valid.",
    "page-deleted": "The upload page is deleted.",
    "copied": "This is the copy. Documents, the mail address and the upload page are not copied.",
}


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """What the page is made for: a user and a parser, by its id, slug or name."""

    inst: Installation
    signed_in: SignedIn
    user: TeamUser
    parser_ref: str
    base_url: str

    def shown(
        self,
        *,
        done: str = "",
        error: InputError | None = None,
        place: str | None = None,
        settings: tuple[Raw, str] | None = None,
        form: Form | None = None,
    ) -> Response:
        """Return the page; ``place`` is the control that ``error`` is told at.

        ``settings`` are what was typed, and what the form showed before; ``form`` is what was typed in
        another form.
        """
        parser = get_parser(self.inst, self.user.team_id, self.parser_ref)
        raw = _raw_settings(parser)
        typed, before = settings or (raw, json.dumps(raw))
        if error is not None:
            error = error_at(error, place)
        upload_page = self._upload_page()
        return page(
            "parser_settings/settings.html.j2",
            self.signed_in,
            done=_DONE.get(done, ""),
            error=error,
            parser=parser,
            tab="settings",
            sections=SECTIONS,
            opened=open_sections(SECTIONS, typed, _DEFAULTS, error),
            typed=typed,
            before=before,
            shown=SHOWN,
            choices={"file_types": file_types(raw), "fields": _fields(parser)},
            upload_page=upload_page,
            page_controls=PAGE_CONTROLS,
            page_raw=_page_raw(upload_page, form),
            base_url=self.base_url,
            form={name: form_value(form, name) for name in form} if form else {},
        )

    def _upload_page(self) -> UploadPageView | None:
        try:
            return get_upload_page(self.inst, self.user.team_id, PageOwner("parser", self.parser_ref))
        except NotFound:
            return None


def _page_raw(stored: UploadPageView | None, form: Form | None) -> Raw:
    """Return what the form of the upload page holds: what was typed in it, what is stored, or defaults."""
    if form and "page.title" in form:
        return typed_values(PAGE_CONTROLS, form)
    settings = stored.settings if stored else UploadPageSettings.of_values({})
    return raw_values(PAGE_CONTROLS, {"page": settings.model_dump(mode="json", by_alias=True)})


def _fields(parser: ParserView) -> Mapping[str, str]:
    return {
        str(field.id): field.name
        for field in parser.fields
        if field.type not in (FieldType.TABLE, FieldType.LIST)
    }


def _raw_settings(parser: ParserView) -> Raw:
    """Return what the controls show of a parser; the defaults if its settings are broken."""
    try:
        settings = read_settings(parser.settings)
    except InputError:
        settings = ParserSettings()
    return raw_settings(CONTROLS, settings, parser.name, parser.description, parser.is_active)


_DEFAULTS = raw_settings(CONTROLS, ParserSettings())
