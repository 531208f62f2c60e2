"""JSON schemas of tools, as small as an agent needs them: models read all of them before their first call.

What they leave out, calls are still checked for: lengths, patterns, formats, and what depends on what.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

_KEPT = ("type", "enum", "const", "description", "items", "properties", "required", "anyOf", "default")
_NO_DEFAULTS: Sequence[Any] = (None, "", [], {}, False)
_SAID_BY_NAME = ("parserId", "documentId", "classifierId", "page", "limit")
_NULL = {"type": "null"}


def input_schema(
    arguments: Sequence[type[BaseModel]],
    body: type[BaseModel] | None,
    *,
    settings: str | None = None,
    shown: Collection[str] = (),
    clears: bool = False,
) -> dict[str, Any]:
    """Return the schema of a tool's arguments; the properties of ``body`` are arguments, too.

    Those of ``body`` that are not ``shown`` are one object if it has a topic of ``settings``. With ``clears``
    arguments may be null. Objects in arguments are not described: that is what their topics are for.
    """
    required: list[str] = []
    properties: dict[str, Any] = {}
    for model in arguments:
        own = properties_of(model, depth=1)
        required += own.get("required", ())
        properties |= own["properties"]
    if body is not None:
        of_body = properties_of(body, depth=1, nulls=clears)
        required += of_body.get("required", ())
        hidden = of_body["properties"].keys() - shown if settings is not None else set()
        properties |= {key: value for key, value in of_body["properties"].items() if key not in hidden}
        if hidden:
            words = f"describe_settings('{settings}')"
            properties["settings"] = {"type": "object", "description": words}
    for name in _SAID_BY_NAME:
        properties.get(name, {}).pop("description", None)
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return schema if required else {key: value for key, value in schema.items() if key != "required"}


def properties_of(model: type[BaseModel], *, depth: int, nulls: bool = False) -> dict[str, Any]:
    """Return the schema of an object of input, with ``depth`` levels of the objects in it described."""
    keys, schemas = models_json_schema([(model, "validation")], by_alias=True)
    known: Mapping[str, Any] = schemas.get("$defs", {})
    whole = _resolved(known, keys[model, "validation"])
    return {
        **({"required": whole["required"]} if "required" in whole else {}),
        "properties": {
            key: _compact(known, value, depth - 1, nulls)
            for key, value in whole.get("properties", {}).items()
        },
    }


def _resolved(known: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema with what its reference names; the reference's own words win."""
    if "$ref" not in schema:
        return schema
    named = known[schema["$ref"].rpartition("/")[2]]
    return {**named, **{key: value for key, value in schema.items() if key != "$ref"}}


def _compact(known: Mapping[str, Any], schema: Mapping[str, Any], depth: int, nulls: bool) -> dict[str, Any]:
    # What a class says of itself is of use where its properties are shown.
    is_described = "$ref" not in schema or "description" in schema or depth > 0
    schema = _resolved(known, schema)
    choices = [choice for choice in schema.get("anyOf", ()) if choice != _NULL]
    if len(choices) == 1:
        chosen = _compact(known, choices[0], depth, nulls)
        may_be_null = nulls and len(schema["anyOf"]) == 2 and isinstance(chosen.get("type"), str)
        words = {"description": schema["description"]} if "description" in schema else {}
        return {**chosen, **({"type": [chosen["type"], "null"]} if may_be_null else {}), **words}
    compact = {key: schema[key] for key in _KEPT if key in schema}
    if "enum" in compact:
        compact.pop("type", None)
    if compact.get("default") in _NO_DEFAULTS:
        compact.pop("default", None)
    if not nulls and isinstance(compact.get("type"), list):
        compact["type"] = next(kind for kind in compact["type"] if kind != "null")
    if choices:
        compact["anyOf"] = [_compact(known, choice, depth, nulls) for choice in choices]
    if "items" in compact:
        compact["items"] = _compact(known, compact["items"], depth, nulls)
    if "properties" in compact and depth <= 0:
        del compact["properties"]
        compact.pop("required", None)
    if "properties" in compact:
        compact["properties"] = {
            key: _compact(known, value, depth - 1, nulls) for key, value in compact["properties"].items()
        }
    text = " ".join((compact.pop("description", None) or "").split())
    return {**compact, **({"description": text} if text and is_described else {})}
