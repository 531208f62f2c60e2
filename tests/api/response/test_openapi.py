"""The OpenAPI document names every endpoint, and says enough of each to use it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openapi_spec_validator import OpenAPIV31SpecValidator
from pydantic import BaseModel

from docduck.api.response.property_words import WORDS, describe_properties
from docduck.api.schemas.base import ResponseModel
from docduck.catalog.models.webhooks import WEBHOOK_EVENTS
from docduck.error_codes import CODES
from docduck.mcp.tools import TOOLS
from docduck.server.app import create_app
from docduck.service.core.schema import Schema
from docduck.service.webhooks.delivery_log import get_delivery_content
from docduck.service.webhooks.trial import trial_message
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving

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
    python_names = {name for name, _ in fields if "_" in name} - keys - set(CODES)
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


def test_the_document_is_valid(document: Any) -> None:
    assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []


_CONDITIONS = ("if", "then", "else", "not", "default", "examples", "example")


def _properties(part: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Every property of every schema in ``part`` by its place; conditions have none of their own."""
    if isinstance(part, list):
        for index, one in enumerate(part):
            yield from _properties(one, f"{place}/{index}")
    if not isinstance(part, dict):
        return
    for key, value in part.items():
        if key in _CONDITIONS:
            continue
        if key == "properties" and not place.endswith("/properties"):
            yield from ((f"{place}/{name}", schema) for name, schema in value.items())
        yield from _properties(value, f"{place}/{key}")


def test_every_property_is_described(document: Any) -> None:
    found = list(_properties(document))
    assert len(found) > 900
    assert [place for place, schema in found if not schema.get("description")] == []


def test_limits_of_numbers_are_those_of_json_schema(document: Any) -> None:
    assert '"minimum"' in json.dumps(document)
    assert not {'"ge"', '"gt"', '"le"', '"lt"'} & set(json.dumps(document).replace(":", " ").split())


def test_no_words_for_properties_are_superfluous(document: Any) -> None:
    bare = json.loads(json.dumps(document))
    for _, schema in _properties(bare):
        if schema["description"] in WORDS.values():
            del schema["description"]
    assert describe_properties(bare) == WORDS.keys()


def _bodies(document: Any, *methods: str) -> Iterator[tuple[str, Any]]:
    """The places and schemas of the bodies of operations, by the ids of these; references are followed."""
    for item in document["paths"].values():
        for method, operation in item.items():
            content = operation.get("requestBody", {}).get("content", {})
            if method in methods and "application/json" in content:
                schema = content["application/json"]["schema"]
                yield operation["operationId"], _resolved(document, schema)


def _resolved(document: Any, part: Any) -> Any:
    if isinstance(part, list):
        return [_resolved(document, one) for one in part]
    if not isinstance(part, dict):
        return part
    inner: Any = {}
    if "$ref" in part:
        inner = _resolved(document, document["components"]["schemas"][part["$ref"].rpartition("/")[2]])
    return inner | {key: _resolved(document, value) for key, value in part.items() if key != "$ref"}


DEFAULTS = {
    "documents.reprocess": "discardCorrections",
    "documents.reprocess_all": "discardCorrections",
    "documents.reprocess_many": "discardCorrections",
    "documents.reprocess_one": "discardCorrections",
    "documents.search": "includeSubfolders limit page",
    "exports.create_layout": "format",
    "fields.put": "deleteOthers",
    "parsers.create": "type",
    "post_processing.set": "decimalSeparator decimals groupSeparator mode onMissing",
    "review_stages.create": "onFailedChecks reviewType rules",
    "upload_pages.put_of_classifier": "embedOrigins filesPerHour isActive message title",
    "upload_pages.put_of_parser": "embedOrigins filesPerHour isActive message title",
    "webhooks.create": "description events headers isActive name valueFormat",
    "webhooks.create_of_team": "description events headers isActive name valueFormat",
    "webhooks.test": "event",
    "webhooks.test_of_team": "event",
}
"""Bodies that have defaults: generated clients send them, which is the same as to leave them out."""


def test_bodies_have_no_default_that_changes_something(document: Any) -> None:
    patches = dict(_bodies(document, "patch"))
    assert len(patches) == 11
    found = {
        name: " ".join(
            sorted({place.rpartition("/")[2] for place, part in _properties(body) if "default" in part})
        )
        for name, body in {**patches, **dict(_bodies(document, "post", "put", "delete"))}.items()
    }
    assert {name: keys for name, keys in found.items() if keys} == DEFAULTS
    assert not patches.keys() & DEFAULTS.keys()


def test_only_ids_that_are_uuids_are_said_to_be(document: Any) -> None:
    formats = {
        parameter["name"]: parameter["schema"].get("format")
        for item in document["paths"].values()
        for operation in item.values()
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "path" and parameter["name"].endswith("Id")
    }
    slugged = {"parserId", "classifierId", "fieldId"}
    assert {name for name, kind in formats.items() if kind is None} == slugged
    assert {kind for name, kind in formats.items() if name not in slugged} == {"uuid"}


def test_the_document_says_where_the_api_is(document: Any, make_installation: MakeInstallation) -> None:
    assert [server["url"] for server in document["servers"]] == ["/"]
    own = create_app(make_installation(base_url="https://docs.example.org/")).openapi()
    assert [server["url"] for server in own["servers"]] == ["https://docs.example.org", "/"]


def test_every_response_has_the_headers_that_are_said(document: Any, shared: Api) -> None:
    rate = {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}
    known = document["components"]["headers"].keys()
    assert known == rate | {"X-Request-Id", "Retry-After"}
    for path, item in document["paths"].items():
        for operation in item.values() if path.startswith("/api/v1") else ():
            for status, response in operation["responses"].items():
                expected = {"X-Request-Id"} | (rate if status != "401" else set())
                expected |= {"Retry-After"} if status in ("429", "503") else set()
                assert response["headers"].keys() & known == expected, (path, status)


def test_webhooks_get_what_the_document_says(document: Any, make_installation: MakeInstallation) -> None:
    assert document["webhooks"].keys() == set(WEBHOOK_EVENTS)
    with serving(make_installation(allow_insecure_webhooks=True)) as api:
        parser_id = api.parser()
        body = {"url": "https://hooks.invalid/", "events": ["*"]}
        hook = api.post(f"/parsers/{parser_id}/webhooks", json=body).json()["id"]
        messages = [
            trial_message(api.inst, api.inst.team_id, parser_id, hook, event, "https://d.example").body
            for event in WEBHOOK_EVENTS
        ]
        api.upload(parser_id)
        api.process(parser_id)
        log = api.get(f"/parsers/{parser_id}/webhooks/{hook}/deliveries").json()["data"]
        of_hook = (api.inst, api.inst.team_id, parser_id, hook)
        messages += [get_delivery_content(*of_hook, delivery["id"]).body for delivery in log]
        assert {delivery["event"] for delivery in log} == {"document.processed", "document.exported"}
    schema = _resolved(document, {"$ref": "#/components/schemas/WebhookPayload"})
    for part in (schema, schema["properties"]["metadata"]):
        part["additionalProperties"] = False
    for message in messages:
        payload = json.loads(message)
        assert [error.message for error in Draft202012Validator(schema).iter_errors(payload)] == []
        operation = document["webhooks"][payload["metadata"]["event"]]["post"]
        (content,) = operation["requestBody"]["content"].values()
        assert content["schema"]["$ref"].endswith("/WebhookPayload")
