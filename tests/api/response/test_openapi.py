"""The OpenAPI document names every endpoint, and says enough of each to use it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from docduck.api.schemas.base import ResponseModel
from docduck.mcp.tools import TOOLS
from docduck.server.app import create_app
from docduck.service.core.schema import Schema
from tests.server.served import Api

FURTHER_ERRORS = {
    "documents.confirm": "503",
    "documents.list": "503",
    "documents.list_of_team": "503",
    "documents.replace_data": "409 412 503",
    "documents.search": "503",
    "documents.update": "409 412",
    "documents.update_data": "409 412 503",
    "exports.create": "503",
    "exports.update_layout": "409",
    "fields.suggest": "415 503",
    "fields.update": "409",
    "folders.update": "409",
    "parsers.delete": "409",
    "parsers.update": "412",
    "parsers.evaluate": "503",
    "post_processing.delete_table": "409",
    "post_processing.put_table": "409",
    "process.files": "415 503",
    "process.files_to_classifier": "415 503",
    "process.urls": "415 503",
    "process.urls_to_classifier": "415 503",
    "review_stages.delete": "409",
    "review_stages.update": "409",
    "webhooks.update": "409",
    "webhooks.update_of_team": "409",
}
"""What operations can answer besides the errors that all have, and those of a body or a POST."""


@pytest.fixture(scope="module")
def document(shared: Api) -> Any:
    return create_app(shared.inst).openapi()


def test_descriptions_name_keys_as_they_are_sent(document: Any) -> None:
    fields = [field for model in _models() for field in model.model_fields.items()]
    keys = {str(field.serialization_alias or field.alias or name) for name, field in fields}
    python_names = {name for name, _ in fields if "_" in name} - keys
    assert {"time_zone", "parser_id"} <= python_names
    tools = [vars(tool) for tool in TOOLS]
    for text in (*_descriptions(document), *_descriptions(tools)):
        assert not python_names & set(re.findall(r"\w+", text)), text
        assert "``" not in text, text


def _models() -> Iterator[type[BaseModel]]:
    """All models of bodies and of settings in them."""
    found: list[type[BaseModel]] = [ResponseModel, Schema]
    while found:
        found += found[0].__subclasses__()
        yield found.pop(0)


def _descriptions(part: Any) -> Iterator[str]:
    """The descriptions in a document or schema."""
    if isinstance(part, dict):
        if isinstance(text := part.get("description"), str):
            yield text
        part = list(part.values())
    for one in part if isinstance(part, list) else ():
        yield from _descriptions(one)


def test_every_operation_says_what_it_does_and_answers(document: Any) -> None:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            place = (method, path)
            assert operation["summary"] and operation["description"], place
            if not path.startswith("/api/v1"):
                continue
            answers = operation["responses"]
            assert {"400", "401", "403", "404", "429", "500"} <= answers.keys(), place
            assert ("200" in answers) != ("201" in answers), place
            assert "422" not in answers, place
            success = answers.get("200") or answers["201"]
            assert "schema" in success["content"]["application/json"], place
            if method == "post":
                assert "409" in answers, place
            if "requestBody" in operation:
                assert {"408", "413"} <= answers.keys(), place
            assert operation["security"] == [{"ApiKey": []}], place


def test_no_operation_names_errors_that_it_does_not_have(document: Any) -> None:
    further = {}
    for item in document["paths"].values():
        for method, operation in item.items():
            if "security" not in operation:
                continue
            shared = {"400", "401", "403", "404", "429", "500"}
            shared |= {"408", "413"} if "requestBody" in operation else set()
            shared |= {"409"} if method == "post" else set()
            errors = {status for status in operation["responses"] if status >= "400"}
            if errors != shared:
                further[operation["operationId"]] = " ".join(sorted(errors ^ shared))
    assert further == FURTHER_ERRORS


def test_the_errors_have_the_contracts_shape(document: Any) -> None:
    error = document["components"]["schemas"]["ErrorResponse"]["properties"]
    assert {"error", "message", "details", "notFound", "requestId"} <= error.keys()
    assert not {"HTTPValidationError", "ValidationError"} & document["components"]["schemas"].keys()


def test_operations_have_names_of_their_own(document: Any) -> None:
    names = [operation["operationId"] for item in document["paths"].values() for operation in item.values()]
    assert len(set(names)) == len(names)
