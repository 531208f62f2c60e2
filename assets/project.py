"""The parsers, classifiers, sources and exports that Dagster's definitions are made from."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from dagster_docduck.assets.classifiers import ClassifierRoutes, distinct_classifiers
from dagster_docduck.assets.names import OWN_NAMES, Names
from dagster_docduck.assets.parser_tables import ParserTables, first_days, fresh_within
from dagster_docduck.assets.sources import expected_every
from dagster_docduck.assets.table_checks import BoundsBySlug, pipeline_bounds
from docduck.errors import DocduckError, InputError
from docduck.service.classifiers.classifier_listing import classifier_versions, every_classifier
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import every_parser, revisions, team_slugs
from docduck.service.pipeline.export_specs import ExportSpec
from docduck.service.pipeline.pipeline_spec import Pipeline, load_pipeline
from docduck.service.sources.sources import INBOX, FolderSource, Source, inbox, sources
from docduck.settings import Settings
from docduck.warehouse.opening import published_path


@dataclass(frozen=True, slots=True)
class Project:
    """Parsers and classifiers, sources and exports at one moment, with the ``names`` of their assets.

    ``published`` is the file that analysts read; ``fresh_within`` is how old the last rows of a parser may
    be, and ``bounds`` are those of its values and rows, by slug. ``expected_every`` is how old the last
    documents of a source may be, by its name, and ``first_days`` are those of the partitions of a parser's
    tables, by its slug. ``problems`` are messages about those that were left out. ``signature`` changes with
    any of it.
    """

    parsers: Sequence[ParserTables]
    classifiers: Sequence[ClassifierRoutes]
    sources: Sequence[Source]
    exports: Sequence[ExportSpec]
    published: Path
    problems: Sequence[str]
    signature: str
    names: Names
    fresh_within: Mapping[str, dt.timedelta]
    expected_every: Mapping[str, dt.timedelta]
    first_days: Mapping[str, dt.date]
    bounds: BoundsBySlug

    @classmethod
    def of(
        cls,
        pipeline: Pipeline,
        sources: Sequence[Source],
        published: Path,
        parsers: Sequence[ParserTables] = (),
        classifiers: Sequence[ClassifierRoutes] = (),
        *,
        problems: Sequence[str] = (),
        signature: str = "",
        names: Names = OWN_NAMES,
    ) -> Self:
        """Return the project of a pipeline file and of what there is beside it."""
        bounds, unbound = pipeline_bounds(pipeline, parsers)
        return cls(
            parsers=parsers,
            classifiers=classifiers,
            sources=sources,
            exports=pipeline.exports,
            published=published,
            problems=[*problems, *unbound],
            signature=signature,
            names=names,
            fresh_within=fresh_within(pipeline),
            expected_every=expected_every(pipeline),
            first_days=first_days(pipeline),
            bounds=bounds,
        )


def load_project(inst: Installation) -> Project:
    """Read the catalog and the pipeline file; whatever is broken is left out and listed in ``problems``.

    The parsers and classifiers are those of all teams.
    """
    # Read before the parsers: the next comparison detects a change in between.
    signature = current_signature(inst)
    views, teams = every_parser(inst), team_slugs(inst)
    classifiers, problems = distinct_classifiers([*map(ClassifierRoutes.of, every_classifier(inst))])
    problems += [view.problem for view in views if view.problem]
    pipeline = Pipeline()
    try:
        watched = sources(inst)
        if inst.settings.pipeline.exists():
            pipeline = load_pipeline(inst.settings.pipeline)
    except DocduckError as error:
        watched = [inbox(inst)]
        problems.append(error.message)
    parsers: list[ParserTables] = []
    for view in views:
        try:
            if not view.problem:
                parsers.append(ParserTables.of(view, teams[view.team_id]))
        except InputError as error:
            problems.append(f"Parser '{view.slug}' has no assets: {error}")
    published = inst.warehouse.published
    return Project.of(
        pipeline, watched, published, parsers, classifiers, problems=problems, signature=signature
    )


def new_project(settings: Settings) -> Project:
    """Return the project of a home that does not exist yet, which has nothing but its inbox."""
    home = settings.home.absolute()
    return Project.of(
        Pipeline(),
        [FolderSource(INBOX, settings.inbox)],
        published_path(settings.home, settings),
        problems=[f"There is no docduck in {home} yet: `docduck up`, or a tick of a sensor, makes it."],
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
