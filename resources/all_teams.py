"""The parsers and classifiers of all teams: Dagster works for every team."""

from __future__ import annotations

from docduck.errors import NotFound
from docduck.service.classifiers.classifier_listing import list_classifiers
from docduck.service.classifiers.classifiers import ClassifierView
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView, list_parsers, teams


def every_parser(inst: Installation) -> list[ParserView]:
    """Return all parsers of all teams, broken ones too."""
    return [parser for team in teams(inst) for parser in list_parsers(inst, team)]


def find_parser(inst: Installation, ref: str) -> ParserView:
    """Return the parser with this id or slug, or else this name; raise NotFound, which lists the slugs."""
    parsers = every_parser(inst)
    by_key = [parser for parser in parsers if ref in (parser.id, parser.slug)]
    if matches := by_key or [parser for parser in parsers if parser.name == ref]:
        return matches[0]
    known = ", ".join(sorted(parser.slug for parser in parsers)) or "none"
    raise NotFound(f"There is no parser '{ref}'; known are: {known}", "parserId", ref)


def every_classifier(inst: Installation) -> list[ClassifierView]:
    """Return all classifiers of all teams."""
    return [classifier for team in teams(inst) for classifier in list_classifiers(inst, team)]
