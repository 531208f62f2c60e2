"""Reading, checking and changing a parser's settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import ValidationError

from docduck.documents.read_options import ReadOptions
from docduck.errors import InputError
from docduck.extraction.extraction_settings import read_options
from docduck.extraction.models import usable_models
from docduck.extraction.values.dates import DateOrder
from docduck.service.core.schema import Schema, Values
from docduck.service.parsers.settings_schema import SPLIT_KEYS, ParserSettings
from docduck.settings import Settings
from docduck.validation_messages import located_message, problem_message

SettingsT = TypeVar("SettingsT", bound=Schema)

_COMPLETE = "classificationGate."
"""Error messages beginning with this contain their path already."""


def read_settings(stored: Mapping[str, Any], prefix: str = "settings") -> ParserSettings:
    """Return the settings with all defaults; raise InputError listing all errors."""
    return read_object(ParserSettings, stored, prefix)


def read_object(kind: type[SettingsT], stored: Any, prefix: str) -> SettingsT:
    """Return an object of settings with all defaults; raise InputError listing all errors."""
    try:
        return kind.model_validate(stored)
    except ValidationError as error:
        problems = error.errors()
        paths = [".".join(filter(None, (prefix, *_place(problem)))) for problem in problems]
        words = [problem_message(problem) for problem in problems]
        first = words[0] if words[0].startswith(_COMPLETE) else located_message(paths[0], words[0])
        raise InputError(first, paths[0], list(zip(paths, words, strict=True))) from error


def _place(problem: Mapping[str, Any]) -> list[str]:
    """Return the keys leading to a problem; Pydantic uses attribute names for wrong defaults."""
    is_sent_key = problem["type"] == "extra_forbidden"
    return [str(part) if is_sent_key else SPLIT_KEYS.get(part, str(part)) for part in problem["loc"]]


def check_model(name: str, settings: Settings, prefix: str = "") -> None:
    """Raise InputError with the names that there are unless a language model of this name is configured."""
    try:
        usable_models(settings).named(name)
    except InputError as error:
        place = ".".join(filter(None, (prefix, "model")))
        raise InputError(f"{place}: {error.message}", place) from error


def reading_of(parser: ParserSettings, settings: Settings) -> ReadOptions:
    """Return how a parser reads files."""
    return replace(
        read_options(settings, parser.data_extraction_mode),
        pages=parser.parse_pages or None,
        attachments=parser.email_parsing.attachments,
        attachment_types=tuple(parser.email_parsing.attachment_file_types),
    )


def date_order_of(stored: Mapping[str, Any]) -> DateOrder:
    """Return the order of numeric dates; ``auto`` if the settings are invalid."""
    try:
        return read_settings(stored).reading_locale.date_order
    except InputError:
        return "auto"


def merge_settings(
    stored: Mapping[str, Any], changes: Mapping[str, Any], prefix: str = "settings"
) -> dict[str, Any]:
    """Return ``stored`` with ``changes`` merged by key, also in nested objects; arrays are replaced.

    Synonyms are resolved. Raise InputError listing all errors below ``prefix``.
    """
    merged = read_settings(merged_objects(stored, changes), prefix)
    return merged.model_dump(mode="json", by_alias=True, exclude_unset=True)


def settings_in(properties: Values) -> dict[str, Any]:
    """Return the settings among the properties of a parser, by their keys."""
    named = ParserSettings.model_fields.items()
    return {str(info.alias): properties[name] for name, info in named if name in properties}


def merged_objects(stored: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``stored`` with ``changes`` merged by key, also in nested objects; arrays are replaced."""
    merged = dict(stored)
    for key, value in changes.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = merged_objects(old, value) if both and old is not None else value
    return merged


def different_settings(stored: Mapping[str, Any], changes: Mapping[str, Any]) -> list[str]:
    """Return the keys of those changes that would change anything."""
    merged = merged_objects(stored, changes)
    return [key for key in changes if merged[key] != stored.get(key)]
