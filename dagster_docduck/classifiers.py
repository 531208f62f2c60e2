"""The classifiers as assets: upstream of the parsers that they route documents to."""

from __future__ import annotations

from collections.abc import Collection

from dagster import AssetKey, AssetSpec

from dagster_docduck.markdown import table
from docduck.ids import snake_case
from docduck.service.classifiers.classifiers import ClassifierView
from docduck.service.runs.processing_runs import SOURCES

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
