"""Where files of users can be sent: to a parser, or to a classifier that decides.

In forms they are written ``parser:<id>`` and ``classifier:<id>``; slugs may stand for ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from docduck.errors import InputError
from docduck.service.classifiers.classifier_listing import find_classifiers
from docduck.service.classifiers.classifiers import get_classifier
from docduck.service.core.installation import Installation
from docduck.service.parsers.parser_listing import find_parsers
from docduck.service.parsers.parsers import get_parser
from docduck.web.page import page_link

_MOST_TARGETS = 1000


@dataclass(frozen=True, slots=True)
class Target:
    """A parser or a classifier that takes files."""

    kind: Literal["parser", "classifier"]
    id: str
    slug: str
    name: str

    @property
    def key(self) -> str:
        """What stands for it in forms."""
        return f"{self.kind}:{self.id}"

    @property
    def path(self) -> str:
        """The page of its documents."""
        if self.kind == "parser":
            return page_link("/documents", parser=self.slug)
        return f"/classifiers/{self.id}/documents"

    @property
    def ids(self) -> tuple[str | None, str | None]:
        """The ids of the parser and of the classifier, one of which is None."""
        return (self.id, None) if self.kind == "parser" else (None, self.id)


def find_target(inst: Installation, team_id: str, key: str) -> Target:
    """Return the target written in a form; raise InputError, and NotFound for one that doesn't exist."""
    kind, _, ref = key.partition(":")
    if kind == "parser" and ref:
        parser = get_parser(inst, team_id, ref)
        return Target("parser", parser.id, parser.slug, parser.name)
    if kind == "classifier" and ref:
        classifier = get_classifier(inst, team_id, ref)
        return Target("classifier", classifier.id, classifier.slug, classifier.name)
    raise InputError("Choose where the documents go", "to")


def targets(inst: Installation, team_id: str) -> tuple[Sequence[Target], Sequence[Target]]:
    """Return the parsers and the classifiers of the team that take files, by name."""
    parsers = find_parsers(inst, team_id, is_active=True, sort="name.asc", limit=_MOST_TARGETS)
    classifiers = find_classifiers(inst, team_id, is_active=True, sort="name.asc", limit=_MOST_TARGETS)
    return (
        [Target("parser", row.id, row.slug, row.name) for row, _ in parsers.rows],
        [Target("classifier", row.id, row.slug, row.name) for row, _ in classifiers.rows],
    )
