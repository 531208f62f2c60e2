"""Limits of a run that processes documents, which people set in Dagster's launchpad."""

from collections.abc import Sequence
from typing import TypeVar

from dagster import Config
from pydantic import Field

from docduck.errors import NotFound
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView, every_parser

_One = TypeVar("_One")


class ReadingConfig(Config):
    """Which documents to process, and how many; the rest is left to the next run."""

    parsers: list[str] | None = Field(
        None,
        description="Ids, slugs or names of the parsers whose documents to process; if not given, all parsers"
        " and classifiers",
    )
    max_documents: int | None = Field(None, gt=0, description="After so many documents, begin no other one")
    max_minutes: float | None = Field(
        None,
        gt=0,
        description="After so many minutes, begin no other document; five if not given",
    )

    @property
    def max_seconds(self) -> float | None:
        """``max_minutes`` in seconds."""
        return None if self.max_minutes is None else 60 * self.max_minutes


def chosen(refs: Sequence[str] | None, known: Sequence[tuple[_One, Sequence[str]]], kind: str) -> list[_One]:
    """Return those of ``known``, pairs of a thing and its names, that ``refs`` name; all of them if None.

    Raise NotFound, which lists the first names.
    """
    if refs is None:
        return [item for item, _ in known]
    for ref in refs:
        if not any(ref in names for _, names in known):
            there = ", ".join(sorted(names[0] for _, names in known)) or "none"
            raise NotFound(f"There is no {kind} '{ref}'; known are: {there}", f"{kind}s", ref)
    return [item for item, names in known if any(ref in names for ref in refs)]


def find_parser(inst: Installation, ref: str) -> ParserView:
    """Return the parser of any team with this id or slug, or else this name; raise NotFound as ``chosen``."""
    known = [(parser, (parser.slug, parser.id, parser.name)) for parser in every_parser(inst)]
    return min(chosen([ref], known, "parser"), key=lambda parser: ref not in (parser.slug, parser.id))
