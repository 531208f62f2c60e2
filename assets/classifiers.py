"""The classifiers, an asset each: upstream of the parsers that they route documents to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from dagster import AssetKey, AssetMaterialization, AssetSpec, MetadataValue

from dagster_docduck.assets.markdown import table
from dagster_docduck.assets.sources import source_key
from docduck.ids import snake_case
from docduck.service.classifiers.classifier_listing import counts_of
from docduck.service.classifiers.classifiers import ClassifierView
from docduck.service.core.installation import Installation
from docduck.service.runs.processing_runs import SOURCES
from docduck.service.sources.sources import Source

CLASSIFIERS = "classifiers"
"""The first part of classifiers' asset keys."""


def classifier_key(name: str) -> AssetKey:
    """Return the key of the asset of the classifier called ``name``."""
    return AssetKey([CLASSIFIERS, snake_case(name, "classifier")])


def classifier_spec(key: AssetKey, id: str, description: str, deps: Collection[AssetKey]) -> AssetSpec:
    """Return the asset of a classifier; runs that route its documents report it."""
    return AssetSpec(
        key=key,
        deps=deps,
        group_name=SOURCES,
        kinds={"classifier"},
        description=description,
        metadata={"classifier_id": id},
    )


def classifier_description(classifier: ClassifierView) -> str:
    """Return what the classifier routes where, as Markdown."""
    rows = [{"label": rule.label, "parser": rule.target_parser_id} for rule in classifier.rules]
    rest = (
        "are skipped" if classifier.fallback_parser_id is None else f"go to {classifier.fallback_parser_id}"
    )
    labels = table(rows, ["label", "parser"])
    return f"Documents that {classifier.name} routes by what they are; others {rest}.\n\n{labels}"


def classifier_specs(classifiers: Sequence[ClassifierView], sources: Sequence[Source]) -> list[AssetSpec]:
    """Return an asset for each classifier; runs that route its documents report them."""
    return [
        classifier_spec(
            classifier_key(classifier.name),
            classifier.id,
            classifier_description(classifier),
            [
                source_key(source)
                for source in sources
                if source.classifier in (classifier.name, classifier.id)
            ],
        )
        for classifier in classifiers
    ]


def distinct_classifiers(classifiers: Sequence[ClassifierView]) -> tuple[list[ClassifierView], list[str]]:
    """Return the classifiers with keys of their own, the oldest of each, and messages about the others."""
    chosen: dict[AssetKey, ClassifierView] = {}
    problems = []
    for classifier in classifiers:
        if chosen.setdefault(classifier_key(classifier.name), classifier) is not classifier:
            problems.append(
                f"Classifier '{classifier.name}' has no asset: another one has the same asset key."
            )
    return list(chosen.values()), problems


def routing_events(
    inst: Installation, classifiers: Sequence[ClassifierView], touched: Collection[str]
) -> Iterator[AssetMaterialization]:
    """Yield a materialisation of each classifier whose id is in ``touched``, with its counts."""
    for classifier in classifiers:
        if classifier.id in touched:
            counts = counts_of(inst, classifier.id)
            numbers: dict[str, Any] = {
                name: MetadataValue.int(getattr(counts, name))
                for name in ("documents", "routed", "skipped", "failed")
            }
            yield AssetMaterialization(asset_key=classifier_key(classifier.name), metadata=numbers)
