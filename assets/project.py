"""The parsers, classifiers, sources and exports that Dagster's definitions are made from."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dagster_docduck.assets.classifiers import ClassifierRoutes, distinct_classifiers
from dagster_docduck.assets.parser_tables import ParserTables, first_days, fresh_within
from dagster_docduck.assets.sources import expected_every
from dagster_docduck.assets.table_checks import BoundsBySlug, pipeline_bounds
from docduck.errors import DocduckError, InputError
from docduck.service.classifiers.classifier_listing import classifier_versions, every_classifier
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView, every_parser, revisions, team_slugs
from docduck.service.pipeline.export_specs import ExportSpec
from docduck.service.pipeline.pipeline_spec import Pipeline, load_pipeline
from docduck.service.sources.sources import INBOX, FolderSource, Source, inbox, sources
from docduck.settings import Settings
from docduck.warehouse.opening import published_path


@dataclass(frozen=True, slots=True)
class Project:
    """Parsers and classifiers of all teams, sources and exports at one moment.

    ``teams`` are slugs by id; ``published`` is the file that analysts read; ``fresh_within`` is how old the
    last rows of a parser may be, and ``bounds`` are those of its values and rows, by slug.
    ``expected_every`` is how old the last documents of a source may be, by its name, and
    ``first_days`` are those of the partitions of a parser's tables, by its slug.
    ``problems`` are messages about those that were left out. ``signature`` changes with any of it.
    """

    parsers: tuple[ParserView, ...]
    classifiers: tuple[ClassifierRoutes, ...]
    sources: tuple[Source, ...]
    exports: tuple[ExportSpec, ...]
    problems: tuple[str, ...]
    signature: str
    teams: Mapping[str, str]
    published: Path
    fresh_within: Mapping[str, dt.timedelta]
    expected_every: Mapping[str, dt.timedelta]
    first_days: Mapping[str, dt.date]
    bounds: BoundsBySlug


def load_project(inst: Installation) -> Project:
    """Read the catalog and the pipeline file; whatever is broken is left out and listed in ``problems``."""
    # Read before the parsers: the next comparison detects a change in between.
    signature = current_signature(inst)
    parsers = every_parser(inst)
    classifiers, problems = distinct_classifiers([*map(ClassifierRoutes.of, every_classifier(inst))])
    problems += [parser.problem for parser in parsers if parser.problem]
    pipeline = Pipeline()
    try:
        watched = sources(inst)
        if inst.settings.pipeline.exists():
            pipeline = load_pipeline(inst.settings.pipeline)
    except DocduckError as error:
        watched = [inbox(inst)]
        problems.append(error.message)
    usable = [parser for parser in parsers if not parser.problem]
    teams = team_slugs(inst)
    bounds, unbound = pipeline_bounds(pipeline, _with_tables(usable, teams))
    return Project(
        parsers=tuple(usable),
        classifiers=tuple(classifiers),
        sources=tuple(watched),
        exports=pipeline.exports,
        problems=(*problems, *unbound),
        signature=signature,
        teams=teams,
        published=inst.warehouse.published,
        fresh_within=fresh_within(pipeline),
        expected_every=expected_every(pipeline),
        first_days=first_days(pipeline),
        bounds=bounds,
    )


def _with_tables(parsers: Sequence[ParserView], teams: Mapping[str, str]) -> Iterator[ParserTables]:
    """Yield the tables of parsers whose fields can be tables."""
    for parser in parsers:
        with suppress(InputError):
            yield ParserTables.of(parser, teams[parser.team_id])


def new_project(settings: Settings) -> Project:
    """Return the project of a home that does not exist yet, which has nothing but its inbox."""
    home = settings.home.absolute()
    return Project(
        parsers=(),
        classifiers=(),
        sources=(FolderSource(INBOX, settings.inbox),),
        exports=(),
        problems=(f"There is no docduck in {home} yet: `docduck up`, or a tick of a sensor, makes it.",),
        signature="",
        teams={},
        published=published_path(settings.home, settings),
        fresh_within={},
        expected_every={},
        first_days={},
        bounds={},
    )


def current_signature(inst: Installation) -> str:
    """Return the signature of the project as it is now."""
    return _digest([*revisions(inst).items(), *classifier_versions(inst)], inst.settings.pipeline)


def _digest(versions: Sequence[tuple[str, Any]], pipeline: Path) -> str:
    digest = hashlib.sha256(repr(sorted(versions, key=repr)).encode())
    try:
        digest.update(pipeline.read_bytes())
    except OSError as error:
        digest.update(type(error).__name__.encode())
    return digest.hexdigest()
