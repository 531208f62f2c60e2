"""The parsers of all teams: Dagster works for every team."""

from __future__ import annotations

from docduck.errors import NotFound
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView, list_parsers, teams


def every_parser(inst: Installation) -> list[ParserView]:
    """Return all parsers of all teams, broken ones too."""
    return [parser for team in teams(inst) for parser in list_parsers(inst, team)]


def find_parser(inst: Installation, ref: str) -> ParserView:
    """Return the parser with this id or slug, or else this name; raise NotFound, which lists the slugs."""
    parsers = every_parser(inst)
    for found in (p for p in parsers if ref in (p.id, p.slug)):
        return found
    for found in (p for p in parsers if p.name == ref):
        return found
    known = ", ".join(sorted(parser.slug for parser in parsers)) or "none"
    raise NotFound(f"There is no parser '{ref}'; known are: {known}", "parserId", ref)
