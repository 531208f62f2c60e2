"""Classifiers and their parsers for the tests of the service."""

from __future__ import annotations

from typing import Any

from docduck.catalog.models import Document
from docduck.service.classifiers.classifiers import ClassifierView, create_classifier
from docduck.service.core.installation import Installation
from docduck.service.documents.new_documents import NewDocument, register
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
    return create_classifier(inst, inst.team_id, {"name": name, "routing": routing, **more}), parsers


def unrouted(inst: Installation, classifier: ClassifierView, *names: str) -> list[str]:
    """Documents that wait to be routed; their external ids are their names."""
    return unrouted_in(inst, classifier.id, *names)


def unrouted_in(inst: Installation, classifier_id: str, *names: str) -> list[str]:
    """The same for a classifier's id."""
    new = []
    for name in names:
        stored = inst.files.put_bytes(name.encode())
        new.append(NewDocument(name, stored.sha256, stored.size, "text/plain", "api", external_id=name))
    with inst.catalog.transaction() as session:
        return register(session, inst.team_id, None, new, "tests", classifier_id=classifier_id)


def mark_routed(inst: Installation, document_id: str, parser: ParserView, label: str) -> None:
    """Move an unrouted document to its parser, as the classifier does, where it stays queued."""
    with inst.catalog.transaction() as session:
        row = session.get_one(Document, document_id)
        row.parser_id, row.routing_status = parser.id, "routed"
        row.routing = {
            "category": label,
            "targetParserId": parser.id,
            "targetParserName": parser.name,
            "confidence": 0.9,
            "reasoning": "It says so.",
            "error": None,
        }
