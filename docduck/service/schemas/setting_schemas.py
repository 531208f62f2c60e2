"""JSON schemas of the settings that parsers and classifiers have, for the bodies of requests.

The settings are validated after they have been merged with those that are stored.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from docduck.service.core.property_types import empty_if_null
from docduck.service.core.schema import Schema
from docduck.service.parsers.settings_schema import ParserSettings

Text = Annotated[
    str,
    Field(max_length=10_000),
    BeforeValidator(empty_if_null),
    WithJsonSchema({"type": ["string", "null"], "maxLength": 10_000}),
]
"""A description, which null clears."""
_MIME_TYPE = {"type": "string", "pattern": r"^[a-z]{2,20}/[a-z0-9][a-z0-9.+-]{0,80}$"}
_SHOWN_TYPE = {
    "type": "object",
    "description": "As a parser shows it",
    "required": ["mimeType"],
    "additionalProperties": False,
    "properties": {"mimeType": _MIME_TYPE, "label": {"type": "string"}},
}
MimeTypes = Annotated[
    Any,
    WithJsonSchema(
        {
            "type": "array",
            "maxItems": 100,
            "items": {"anyOf": [_MIME_TYPE, _SHOWN_TYPE]},
            "examples": [["application/pdf"]],
        }
    ),
]


def schemas_of(kind: type[Schema]) -> dict[str, Any]:
    """Return the JSON schemas of settings by key, without references, titles and defaults."""
    schema = kind.model_json_schema(by_alias=True)
    known = schema.get("$defs", {})

    def resolved(part: Any) -> Any:
        if isinstance(part, list):
            return [resolved(item) for item in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            return resolved(known[part["$ref"].rpartition("/")[2]])
        properties = {key: resolved(value) for key, value in part.get("properties", {}).items()}
        own = {k: resolved(v) for k, v in part.items() if k not in ("title", "default", "properties")}
        return {**own, "properties": properties} if properties else own

    return {key: resolved(value) for key, value in schema["properties"].items()}


SETTINGS_SCHEMAS = schemas_of(ParserSettings)


def setting_schema(key: str) -> WithJsonSchema:
    """Return the JSON schema of a setting; the service validates it."""
    return WithJsonSchema(SETTINGS_SCHEMAS[key])
