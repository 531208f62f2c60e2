"""The source of ``docduck.client.types``, from the OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from docduck.api.schemas.base import CursorPage, FeedPage, PageResponse

REQUESTS = ("FieldInput",)
"""Request bodies that the client has types for."""

_HEADER = '''\
"""The JSON of the API's responses: plain dictionaries with typed keys.

A server may send further keys, and new values where there are a few known ones.
Generated from the OpenAPI document by ``python -m tools.client``; do not edit.
"""

from __future__ import annotations

from typing import Any, Generic, NotRequired, TypedDict, TypeVar

Row = TypeVar("Row")
'''
PRIMITIVES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_PAGE = re.compile(r"(PageResponse|CursorPage|FeedPage)_\w+_")
PAGES = {"Page": PageResponse, "CursorPage": CursorPage, "FeedPage": FeedPage}
"""The pages of lists, by the names of their types."""
_TITLES = tuple(f"{page.__name__}[" for page in PAGES.values())


def types_source(document: Mapping[str, Any]) -> str:
    """Return the source of ``docduck.client.types`` for an OpenAPI document."""
    schemas = document["components"]["schemas"]
    names: set[str] = set()
    pending = [*REQUESTS, *_response_names(document["paths"], schemas)]
    while pending:
        name = pending.pop()
        if name not in names and schemas[name]["type"] == "object":
            names.add(name)
            pending += _references(schemas[name])
    classes = {class_name(name): _class(name, schemas) for name in names}
    return "\n\n".join([_HEADER, *(classes[name] for name in sorted(classes))])


def _response_names(paths: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the results' schemas: a response with one property is what that is."""
    for path, operations in paths.items():
        for operation in operations.values() if path.startswith("/api/v1") else ():
            for status, response in operation["responses"].items():
                if status.startswith("2"):
                    for name in _references(response["content"]):
                        only = only_property(schemas[name])
                        yield from _references(schemas[name]["properties"][only]) if only else (name,)


def _references(part: Any) -> Iterator[str]:
    """Yield the names of the schemas that ``part`` refers to, anywhere in it."""
    if isinstance(part, Mapping):
        if isinstance(reference := part.get("$ref"), str):
            yield reference.rpartition("/")[2]
        for value in part.values():
            yield from _references(value)
    elif isinstance(part, list):
        for value in part:
            yield from _references(value)


def class_name(schema_name: str) -> str:
    """Return the name of the class for a schema."""
    if page := _PAGE.fullmatch(schema_name):
        return page[1].removesuffix("Response")
    return schema_name.removesuffix("Response").removesuffix("View")


def object_name(schema: Mapping[str, Any]) -> str:
    """Return the name of the schema that is referred to."""
    return str(schema["$ref"]).rpartition("/")[2]


def only_property(schema: Mapping[str, Any]) -> str | None:
    """Return the property of a response that has no other, or of a list that is returned whole.

    The client returns what it is.
    """
    name, *others = schema["properties"]
    if {name, *others} >= {"data", "pagination"} and not schema["title"].startswith(_TITLES):
        return "data"
    return None if others or name == "success" else str(name)


def _class(name: str, schemas: Mapping[str, Any]) -> str:
    schema = schemas[name]
    generic = _PAGE.fullmatch(name)
    required = schema.get("required", ())
    keys = []
    for key, part in schema["properties"].items():
        kind = "list[Row]" if generic and key == "data" else type_of(part, schemas)
        keys.append(f"    {key}: {kind if key in required else f'NotRequired[{kind}]'}")
    bases = "TypedDict, Generic[Row]" if generic else "TypedDict"
    summary = str(PAGES[class_name(name)].__doc__ if generic else schema["description"]).splitlines()[0]
    head = [f"class {class_name(name)}({bases}):", f'    """{summary.replace("`", "``")}"""']
    return "\n".join([*head, "", *keys, ""])


def type_of(part: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Return the annotation for a schema; enumerations are open, so that new values fit."""
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        return class_name(name) if schemas[name]["type"] == "object" else type_of(schemas[name], schemas)
    if "anyOf" in part:
        return " | ".join(dict.fromkeys(type_of(choice, schemas) for choice in part["anyOf"]))
    kind = part.get("type")
    if kind == "array":
        return f"list[{type_of(part['items'], schemas)}]"
    if kind == "object":
        return "dict[str, Any]"
    return PRIMITIVES.get(str(kind), "Any")
