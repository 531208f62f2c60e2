"""Parsers as JSON (spec.md, Parser)."""

from __future__ import annotations

from typing import Any

from docduck.api.serializers.fields import fields
from docduck.api.serializers.review_stages import stage
from docduck.clock import iso
from docduck.errors import InputError
from docduck.service.documents.file_types import LABELS
from docduck.service.parsers.parser_listing import ParserCounts
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.parsers import ParserView
from docduck.service.parsers.settings_schema import ParserSettings
from docduck.service.reviews.parser_details import ParserDetails


def parser_row(one: ParserView, counts: ParserCounts) -> dict[str, Any]:
    """A parser as a list shows it: the accepted types of files once, beside its settings."""
    settings = _settings(one)
    return {
        "id": one.id,
        "name": one.name,
        "description": one.description,
        "type": one.type,
        "slug": one.slug,
        "templateKey": one.template_key,
        "isActive": one.is_active,
        "acceptedFileTypes": settings.pop("acceptedFileTypes"),
        "settings": settings,
        "createdAt": iso(one.created_at),
        "updatedAt": iso(one.updated_at),
        "counts": {"totalDocuments": counts.documents, "folders": counts.folders},
    }


def whole_parser(one: ParserDetails) -> dict[str, Any]:
    """A parser with its fields and review stages (contract C2)."""
    row = parser_row(one.parser, one.counts)
    return {
        **row,
        "settings": {**row["settings"], "acceptedFileTypes": row["acceptedFileTypes"]},
        "fields": fields(one.parser.fields),
        "emailAddress": one.parser.email_address,
        "reviewStages": [stage(each) for each in one.stages],
    }


def _settings(one: ParserView) -> dict[str, Any]:
    """All settings with their defaults; no types of files means all that can be read."""
    try:
        settings = read_settings(one.settings)
    except InputError:
        # What is broken in the catalog is told by checks; lists go on with what others have.
        settings = ParserSettings()
    shown = settings.model_dump(mode="json", by_alias=True)
    types = shown["acceptedFileTypes"] or list(LABELS)
    return {**shown, "acceptedFileTypes": [{"mimeType": t, "label": LABELS.get(t, t)} for t in types]}
