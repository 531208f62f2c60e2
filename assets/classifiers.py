"""The classifiers, an asset each: upstream of the parsers that they route documents to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from dagster import AssetKey, AssetMaterialization, AssetSpec, MetadataValue

from dagster_docduck.assets.markdown import table
from dagster_docduck.assets.names import OWN_NAMES, Names
from dagster_docduck.assets.parser_tables import ParserTables, feeds
from dagster_docduck.assets.sources import source_key
from docduck.ids import snake_case
from docduck.service.classifiers.classifier_listing import counts_of
from docduck.service.classifiers.classifiers import ClassifierView
from docduck.service.core.installation import Installation
from docduck.service.runs.processing_runs import SOURCES
from docduck.service.sources.sources import Source

CLASSIFIERS = "classifiers"
"""The first part of classifiers' asset keys."""


@dataclass(frozen=True, slots=True)
class ClassifierRoutes:
    """What definitions need of a classifier; ``targets`` are the ids of the parsers that it routes to."""

    id: str
    name: str
    targets: Collection[str]
    description: str

    @classmethod
    def of(cls, classifier: ClassifierView) -> Self:
        """Return the routes of a classifier, and as Markdown what it routes where."""
        rows = [{"label": rule.label, "parser": rule.target_parser_id} for rule in classifier.rules]
        rest = (
            "are skipped"
            if classifier.fallback_parser_id is None
            else f"go to {classifier.fallback_parser_id}"
        )
        text = f"Documents that {classifier.name} routes by what they are; others {rest}."
        labels = table(rows, ["label", "parser"])
        return cls(classifier.id, classifier.name, sorted(classifier.target_ids), f"{text}\n\n{labels}")

    @property
    def key(self) -> AssetKey:
        """The key of the classifier's asset."""
        return AssetKey([CLASSIFIERS, snake_case(self.name, "classifier")])

    def takes(self, source: Source) -> bool:
        """Return whether a source holds documents for the classifier."""
        return source.classifier in (self.name, self.id)


def classifier_specs(
    classifiers: Sequence[ClassifierRoutes], sources: Sequence[Source], names: Names = OWN_NAMES
) -> list[AssetSpec]:
    """Return an asset for each classifier; runs that route its documents report them."""
    return [
        AssetSpec(
            key=names.of(classifier.key),
            deps=[names.of(source_key(source)) for source in sources if classifier.takes(source)],
            group_name=SOURCES,
            kinds={"classifier"},
            description=classifier.description,
            metadata={"classifier_id": classifier.id},
        )
        for classifier in classifiers
    ]


def upstream_keys(
    parser: ParserTables, sources: Sequence[Source], classifiers: Sequence[ClassifierRoutes]
) -> list[AssetKey]:
    """Return docduck's keys of the assets that a parser's documents come from."""
    return [
        *(source_key(source) for source in sources if feeds(source, parser)),
        *(classifier.key for classifier in classifiers if parser.id in classifier.targets),
    ]


def distinct_classifiers(classifiers: Sequence[ClassifierRoutes]) -> tuple[list[ClassifierRoutes], list[str]]:
    """Return the classifiers with keys of their own, the oldest of each, and messages about the others."""
    chosen: dict[AssetKey, ClassifierRoutes] = {}
    problems = []
    for classifier in classifiers:
        if chosen.setdefault(classifier.key, classifier) is not classifier:
            problems.append(
                f"Classifier '{classifier.name}' has no asset: another one has the same asset key."
            )
    return list(chosen.values()), problems


def routing_events(
    inst: Installation, classifiers: Sequence[ClassifierRoutes], touched: Collection[str]
) -> Iterator[AssetMaterialization]:
    """Yield a materialisation of each classifier whose id is in ``touched``, with its counts."""
    for classifier in classifiers:
        if classifier.id in touched:
            counts = counts_of(inst, classifier.id)
            numbers: dict[str, Any] = {
                name: MetadataValue.int(getattr(counts, name))
                for name in ("documents", "routed", "skipped", "failed")
            }
            yield AssetMaterialization(asset_key=classifier.key, metadata=numbers)
