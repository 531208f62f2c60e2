"""JSON schemas of tools: one flat object of arguments, and the REST API's response as the result."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

_ANNOTATIONS = ("title", "description", "examples")
"""Of a body: the tool has its own."""


def input_schema(arguments: type[BaseModel], body: type[BaseModel] | None) -> dict[str, Any]:
    """Return the schema of a tool's arguments; the properties of ``body`` are arguments, too."""
    parts = [arguments] if body is None else [arguments, body]
    keys, definitions = models_json_schema([(part, "validation") for part in parts], by_alias=True)
    known: dict[str, Any] = definitions.get("$defs", {})
    merged: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
    for part in parts:
        name = keys[part, "validation"]["$ref"].rpartition("/")[2]
        schema = {key: value for key, value in known[name].items() if key not in _ANNOTATIONS}
        if not _is_used(known, name):
            del known[name]
        merged["properties"] |= schema.pop("properties", {})
        merged["required"] += schema.pop("required", [])
        merged |= schema
    if not merged["required"]:
        del merged["required"]
    return {
        **merged,
        **({"$defs": _untitled(known)} if known else {}),
        "properties": _untitled(merged["properties"]),
    }


def output_schema(result: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a tool's result."""
    schema: dict[str, Any] = _untitled(result.model_json_schema(mode="serialization", by_alias=True))
    return schema


def _is_used(known: dict[str, Any], name: str) -> bool:
    return f"'#/$defs/{name}'" in str({key: value for key, value in known.items() if key != name})


def _untitled(part: Any) -> Any:
    """Return a schema without the titles that are made from names."""
    if isinstance(part, list):
        return [_untitled(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {
        key: {name: _untitled(item) for name, item in value.items()}
        if key in ("properties", "$defs")
        else _untitled(value)
        for key, value in part.items()
        if key != "title" or not isinstance(value, str)
    }
