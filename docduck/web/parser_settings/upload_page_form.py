"""The form of a parser's upload page."""

from __future__ import annotations

from docduck.api.schemas.upload_pages import UploadPageInput
from docduck.service.core.upload_page_settings import UploadPageSettings
from docduck.web.rest_bodies import checked_body
from docduck.web.visit import Form, form_value


def page_settings(given: Form) -> UploadPageSettings:
    """Return the settings in a form; raise InputError."""
    number = form_value(given, "page.filesPerHour").strip()
    body = checked_body(
        UploadPageInput,
        {
            "isActive": form_value(given, "page.isActive") == "yes",
            "title": form_value(given, "page.title"),
            "message": form_value(given, "page.message"),
            "embedOrigins": [
                line.strip() for line in form_value(given, "page.embedOrigins").splitlines() if line.strip()
            ],
            "filesPerHour": int(number)
            if number.isascii() and number.isdecimal() and len(number) < 10
            else number,
        },
    )
    return body.settings()
