"""A property, declared once in a resource's schema, is in the API, pipeline.yaml, forms and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic.alias_generators import to_camel, to_snake

from docduck.catalog.models import Classifier, ExportLayout, Folder, ReviewStage, Webhook
from docduck.catalog.models.base import Base
from docduck.server.app import create_app
from docduck.service.classifiers.classifiers import ClassifierView
from docduck.service.core.installation import Installation
from docduck.service.core.schema import Schema, View
from docduck.service.folders import FolderView
from docduck.service.pipeline.pipeline_spec import ClassifierSpec, WebhookSpec
from docduck.service.reviews.review_stages import StageSetup
from docduck.service.schemas.classifiers import ClassifierProperties
from docduck.service.schemas.export_layouts import ExportLayoutView, LayoutProperties
from docduck.service.schemas.folders import FolderProperties
from docduck.service.schemas.review_stages import StageProperties
from docduck.service.schemas.webhooks import WebhookProperties, WebhookView
from docduck.web.classifiers.settings import FORM
from docduck.web.controls import controls_of


@dataclass(frozen=True, slots=True)
class Resource:
    """Where a resource is; ``derived`` are properties that no column of the same name holds.

    ``hidden`` are properties that responses show in another way.
    """

    schema: type[Schema]
    view: type[View]
    row: type[Base]
    path: str
    id: str
    spec: type[BaseModel] | None = None
    derived: Sequence[str] = ()
    hidden: Sequence[str] = ()


RESOURCES = [
    Resource(
        WebhookProperties,
        WebhookView,
        Webhook,
        "/parsers/{parserId}/webhooks",
        "webhookId",
        WebhookSpec,
        ["is_active"],
    ),
    Resource(
        StageProperties,
        StageSetup,
        ReviewStage,
        "/parsers/{parserId}/review-stages",
        "stageId",
        hidden=["reviewerId"],
    ),
    Resource(FolderProperties, FolderView, Folder, "/parsers/{parserId}/folders", "folderId"),
    Resource(
        LayoutProperties,
        ExportLayoutView,
        ExportLayout,
        "/parsers/{parserId}/export-layouts",
        "layoutId",
        derived=["table_name"],
    ),
    Resource(
        ClassifierProperties,
        ClassifierView,
        Classifier,
        "/classifiers",
        "classifierId",
        derived=["routing"],
        hidden=["routing", "model", "splitDocuments", "emailParsing"],
    ),
]


@pytest.fixture
def document(inst: Installation) -> dict[str, Any]:
    """What the API says of itself."""
    if not _DOCUMENT:
        _DOCUMENT.update(create_app(inst).openapi())
    return _DOCUMENT


_DOCUMENT: dict[str, Any] = {}
"""Made once: it is the same for every installation."""


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda one: one.schema.__name__)
def test_each_property_is_everywhere(document: dict[str, Any], resource: Resource) -> None:
    names = set(resource.schema.model_fields)
    keys = {to_camel(name) for name in names}
    path = f"/api/v1{resource.path}"
    post, patch = document["paths"][path]["post"], document["paths"][f"{path}/{{{resource.id}}}"]["patch"]
    bodies = [_schema(document, one["requestBody"]) for one in (post, patch)]
    answers = [_schema(document, post["responses"]["201"]), _schema(document, patch["responses"]["200"])]
    for body in bodies:
        assert set(body["properties"]) == keys
    for answer in answers:
        assert keys - set(resource.hidden) <= set(answer["properties"])
        assert keys - set(resource.hidden) <= set(answer["required"])
    assert "required" not in bodies[1]
    assert issubclass(resource.view, resource.schema)
    if resource.spec is not None:
        assert names <= set(resource.spec.model_fields)
        assert {one.path for one in controls_of(resource.schema)} == keys
    assert names - set(resource.derived) <= {column.key for column in resource.row.__table__.columns}


def test_each_property_of_a_classifier_is_everywhere(document: dict[str, Any]) -> None:
    names = set(ClassifierProperties.model_fields)
    nested = document["components"]["schemas"]["ClassifierSettingsResponse"]
    assert set(nested["properties"]) == {"routing", "model", "splitDocuments", "emailParsing"}
    written_otherwise = {"routing", "accepted_file_types"}
    assert names - written_otherwise <= set(ClassifierSpec.model_fields)
    assert names - {"routing"} == {to_snake(control.path.partition(".")[0]) for control in FORM.controls}
    assert names <= set(ClassifierView.model_fields)


def test_a_view_has_no_limits_of_input_but_its_own() -> None:
    properties = FolderView.model_json_schema(mode="serialization", by_alias=True)["properties"]
    assert properties["color"]["anyOf"] == [{"type": "string", "examples": ["#1f77b4"]}, {"type": "null"}]
    assert properties["name"] == {"type": "string", "title": "Name", "examples": ["2026"]}
    assert properties["depth"]["minimum"] == 0
    assert "reviewerId" not in StageSetup.model_json_schema(mode="serialization")["properties"]


def _schema(document: Any, part: Any) -> Any:
    schema = part["content"]["application/json"]["schema"]
    return document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
