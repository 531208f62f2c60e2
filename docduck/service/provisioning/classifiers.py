"""Application of the classifiers in pipeline.yaml to the catalog. None is deleted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docduck.errors import InputError
from docduck.service.classifiers.classifier_listing import list_classifiers
from docduck.service.classifiers.classifiers import (
    ClassifierView,
    create_classifier,
    merge_intake_settings,
    update_classifier,
)
from docduck.service.core.installation import Installation
from docduck.service.parsers.parser_settings import different_settings
from docduck.service.parsers.parsers import get_parser
from docduck.service.pipeline.pipeline_spec import ClassifierSpec, Pipeline
from docduck.service.provisioning.upload_pages import apply_upload_page
from docduck.service.uploads.upload_pages import PageOwner


def apply_classifiers(inst: Installation, team_id: str, pipeline: Pipeline) -> tuple[list[str], list[str]]:
    """Create missing classifiers and change those that differ; a classifier is identified by its name.

    Return messages about changes, and about classifiers that are not in the file. Raise InputError with all
    problems.
    """
    present = {classifier.name: classifier for classifier in list_classifiers(inst, team_id)}
    done: list[str] = []
    problems: list[tuple[str, str]] = []
    for index, spec in enumerate(pipeline.classifiers):
        try:
            done += _apply(inst, team_id, spec, present.get(spec.name))
            done += apply_upload_page(inst, team_id, PageOwner("classifier", spec.name), spec.upload_page)
        except InputError as error:
            problems.append((f"classifiers[{index}]", error.message))
    if problems:
        raise pipeline.error(problems)
    named = {spec.name for spec in pipeline.classifiers}
    others = [name for name in present if name not in named]
    return done, [f"{name}: is in the catalog and not in the file; left" for name in others]


def _apply(
    inst: Installation, team_id: str, spec: ClassifierSpec, present: ClassifierView | None
) -> list[str]:
    routing = _routing(inst, team_id, spec)
    if present is None:
        create_classifier(inst, team_id, {"name": spec.name, "routing": routing, **spec.values})
        return [f"{spec.name}: created with {len(spec.rules)} rules"]
    changes = [*_differences(spec, present, routing)]
    if changes:
        update_classifier(inst, team_id, present.id, {"routing": routing, **spec.values})
    return [f"{spec.name}: {words}" for words in changes]


def _routing(inst: Installation, team_id: str, spec: ClassifierSpec) -> dict[str, Any]:
    def target(ref: str) -> str:
        return get_parser(inst, team_id, ref).id

    fallback: Mapping[str, Any] = {"action": "skip", "targetParserId": None}
    if spec.fallback is not None:
        fallback = {"action": "route", "targetParserId": target(spec.fallback)}
    return {
        "rules": [
            {"label": label.strip(), "targetParserId": target(ref)} for label, ref in spec.rules.items()
        ],
        "fallback": fallback,
        "instructions": spec.instructions,
    }


def _differences(spec: ClassifierSpec, present: ClassifierView, routing: Mapping[str, Any]) -> Iterator[str]:
    rules = [(rule["label"], rule["targetParserId"]) for rule in routing["rules"]]
    if rules != [(rule.label, rule.target_parser_id) for rule in present.rules]:
        yield "rules changed"
    for key in ("fallback", "instructions"):
        if routing[key] != present.routing[key]:
            yield f"{key} changed"
    if spec.description is not None and spec.description != present.description:
        yield "description changed"
    if spec.is_active is not None and spec.is_active != present.is_active:
        yield f"is now {'active' if spec.is_active else 'inactive'}"
    for key in different_settings(present.settings, merge_intake_settings({}, spec.values)):
        yield f"setting {key} changed"
