"""What the form of the settings shows of a parser."""

from __future__ import annotations

from docduck.errors import InputError
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.parsers import ParserView
from docduck.service.parsers.settings_schema import ParserSettings
from docduck.web.controls import Raw, raw_values
from docduck.web.parser_settings.controls import CONTROLS


def raw_settings(parser: ParserView) -> Raw:
    """Return what the controls show of a parser; the defaults if its settings are broken."""
    try:
        settings = read_settings(parser.settings)
    except InputError:
        settings = ParserSettings()
    values = {
        "name": parser.name,
        "description": parser.description,
        "isActive": parser.is_active,
        **settings.model_dump(mode="json", by_alias=True),
    }
    return raw_values(CONTROLS, values)
