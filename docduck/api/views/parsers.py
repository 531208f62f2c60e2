"""Parsers as JSON (spec.md, Parser)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docduck.api.views.fields import fields
from docduck.clock import iso
from docduck.service.file_types import LABELS
from docduck.service.parser_listing import ParserCounts
from docduck.service.parser_settings import ParserSettings
from docduck.service.parsers import ParserView


def parser(one: ParserView, counts: ParserCounts) -> dict[str, Any]:
    """A parser with its counts."""
    settings = _settings(one.settings)
    return {
        "id": one.id,
        "name": one.name,
        "description": one.description,
        "type": one.type,
        "slug": one.slug,
        "templateKey": one.template_key,
        "isActive": one.is_active,
        "acceptedFileTypes": settings["acceptedFileTypes"],
        "settings": settings,
        "createdAt": iso(one.created_at),
        "updatedAt": iso(one.updated_at),
        "counts": {"totalDocuments": counts.documents, "folders": counts.folders},
    }


def whole_parser(
    one: ParserView, counts: ParserCounts, stages: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """A parser with its fields and review stages (contract C2)."""
    return {
        **parser(one, counts),
        "fields": fields(one.fields),
        "emailAddress": one.email_address,
        "reviewStages": list(stages),
    }


def _settings(stored: Mapping[str, Any]) -> dict[str, Any]:
    """All settings with their defaults; no types of files means all that can be read."""
    shown = ParserSettings.model_validate(stored).model_dump(mode="json", by_alias=True, exclude_none=True)
    types = shown["acceptedFileTypes"] or list(LABELS)
    return {**shown, "acceptedFileTypes": [{"mimeType": t, "label": LABELS.get(t, t)} for t in types]}
