"""Reading and changing the settings of a parser, and telling all that is wrong in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from docduck.documents.read_options import ReadOptions
from docduck.errors import InputError
from docduck.extraction.from_settings import read_options
from docduck.extraction.values.dates import DateOrder
from docduck.service.parsers.settings_schema import SPLIT_KEYS, ParserSettings
from docduck.settings import Settings
from docduck.validation import sentence, words_of

_COMPLETE = "classificationGate."
"""How messages begin that name their place themselves, beside those of unknown properties."""


def read_settings(stored: Mapping[str, Any], prefix: str = "settings") -> ParserSettings:
    """Settings with all defaults filled in; raises InputError naming each place that is wrong."""
    try:
        return ParserSettings.model_validate(stored)
    except ValidationError as error:
        problems = error.errors()
        paths = [".".join(filter(None, (prefix, *_place(problem)))) for problem in problems]
        words = [words_of(problem) for problem in problems]
        first = words[0] if words[0].startswith(_COMPLETE) else sentence(paths[0], words[0])
        raise InputError(first, paths[0], list(zip(paths, words, strict=True))) from error


def _place(problem: Mapping[str, Any]) -> list[str]:
    """The keys that lead to a problem; Pydantic names attributes where a default is wrong."""
    given = problem["type"] == "extra_forbidden"
    return [str(part) if given else SPLIT_KEYS.get(part, str(part)) for part in problem["loc"]]


def reading_of(parser: ParserSettings, settings: Settings) -> ReadOptions:
    """How a parser reads a file: to extract from it, and to learn from it."""
    return replace(
        read_options(settings, parser.data_extraction_mode),
        pages=parser.parse_pages or None,
        attachments=parser.email_parsing.attachments,
        attachment_types=tuple(parser.email_parsing.attachment_file_types),
    )


def date_order_of(stored: Mapping[str, Any]) -> DateOrder:
    """Return the order in which a parser reads numeric dates; ``auto`` if its settings can't be read."""
    try:
        return read_settings(stored).reading_locale.date_order
    except InputError:
        return "auto"


def merge_settings(
    stored: Mapping[str, Any], changes: Mapping[str, Any], prefix: str = "settings"
) -> dict[str, Any]:
    """``stored`` with ``changes`` merged key by key, nested objects too, arrays replaced.

    Synonyms become what they stand for. Raises InputError naming each place that is wrong, below ``prefix``.
    """
    merged = read_settings(_merged(stored, changes), prefix)
    return merged.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _merged(stored: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(stored)
    for key, value in changes.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = _merged(old, value) if both and old is not None else value
    return merged
