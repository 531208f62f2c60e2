"""JSON schemas of the settings that parsers and classifiers have, for the bodies of requests.

The settings are validated after they have been merged with those that are stored.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from docduck.service.core.schema import Schema
from docduck.service.parsers.settings_schema import ParserSettings

Text = Annotated[str, Field(max_length=10_000)]
MimeTypes = Annotated[
    Any,
    WithJsonSchema(
        {
            "type": "array",
            "maxItems": 100,
            "items": {"type": "string", "pattern": r"^[a-z]{2,20}/[a-z0-9][a-z0-9.+-]{0,80}$"},
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
