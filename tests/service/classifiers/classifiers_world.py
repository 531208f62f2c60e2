"""Classifiers and their parsers for the tests of the service."""

from __future__ import annotations

from typing import Any

from docduck.service.classifiers.classifiers import ClassifierView, NewClassifier, create_classifier
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView
from tests.service.core.documents import make_parser


def make_classifier(
    inst: Installation, *labels: str, name: str = "Mail", **more: Any
) -> tuple[ClassifierView, list[ParserView]]:
    """A classifier with these labels, each with a parser of its own of that name."""
    parsers = [make_parser(inst, label) for label in labels]
    rules = [
        {"label": label, "targetParserId": parser.id} for label, parser in zip(labels, parsers, strict=True)
    ]
    routing = {"rules": rules, **more.pop("routing", {})}
    return create_classifier(inst, inst.team_id, NewClassifier(name, routing, **more)), parsers
