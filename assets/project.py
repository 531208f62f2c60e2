"""What the Dagster definitions are made from: the parsers in the catalog and the pipeline as code."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from docduck.errors import DocduckError
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView, revisions
from docduck.service.pipeline.pipeline_spec import ExportSpec, load_pipeline
from docduck.service.sources.sources import FolderSource, inbox, sources
from resources.parsers import every_parser


@dataclass(frozen=True, slots=True)
class Project:
    """Parsers of all teams, sources and exports, as they stood at one moment.

    ``problems`` says in words what had to be left out. ``signature`` changes when any of it does.
    """

    parsers: tuple[ParserView, ...]
    sources: tuple[FolderSource, ...]
    exports: tuple[ExportSpec, ...]
    problems: tuple[str, ...]
    signature: str


def feeds(source: FolderSource, parser: ParserView) -> bool:
    """Whether ``source`` may bring documents for ``parser``."""
    return source.parser is None or names(source.parser, parser)


def names(ref: str, parser: ParserView) -> bool:
    """Whether ``ref``, as written in the pipeline file, means ``parser``."""
    return ref in (parser.slug, parser.id, parser.name)


def read_project(inst: Installation) -> Project:
    """Read the catalog and the pipeline file; what is broken in them is left out and told."""
    # Read before the parsers: a change in between is seen by the next look.
    signature = current_signature(inst)
    parsers = every_parser(inst)
    problems = [parser.problem for parser in parsers if parser.problem]
    exports: tuple[ExportSpec, ...] = ()
    try:
        found = sources(inst)
        if inst.settings.pipeline.exists():
            exports = tuple(load_pipeline(inst.settings.pipeline).exports)
    except DocduckError as error:
        found = [inbox(inst)]
        problems.append(error.message)
    return Project(
        parsers=tuple(parser for parser in parsers if not parser.problem),
        sources=tuple(found),
        exports=exports,
        problems=tuple(problems),
        signature=signature,
    )


def current_signature(inst: Installation) -> str:
    """Return what ``read_project`` would return as its signature at this moment."""
    return _digest(revisions(inst), inst.settings.pipeline)


def _digest(parsers: Mapping[str, int], pipeline: Path) -> str:
    digest = hashlib.sha256(repr(sorted(parsers.items())).encode())
    try:
        digest.update(pipeline.read_bytes())
    except OSError as error:
        digest.update(type(error).__name__.encode())
    return digest.hexdigest()
