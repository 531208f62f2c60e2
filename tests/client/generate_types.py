"""Write the client's types from the OpenAPI document: ``python -m tests.client.generate_types``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import docduck
from docduck.api.schemas.base import PageResponse
from docduck.server.app import create_app
from docduck.service.core.installation import open_installation
from docduck.settings import Settings

TARGET = Path(docduck.__file__).parent / "client" / "types.py"

_REQUESTS = ("FieldInput",)
"""Request bodies that the client has types for."""

_HEADER = '''\
"""The JSON of the API's responses: plain dictionaries with typed keys.

A server may send further keys, and new values where there are a few known ones.
Generated from the OpenAPI document by ``python -m tests.client.generate_types``; do not edit.
"""

from __future__ import annotations

from typing import Any, Generic, NotRequired, TypedDict, TypeVar

Row = TypeVar("Row")
'''
_PRIMITIVES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_PAGE = re.compile(r"PageResponse_\w+_")


def types_source(document: Mapping[str, Any]) -> str:
    """Return the source of ``docduck.client.types`` for an OpenAPI document."""
    schemas = document["components"]["schemas"]
    names: set[str] = set()
    pending = [*_REQUESTS, *_response_names(document["paths"])]
    while pending:
        name = pending.pop()
        if name not in names and schemas[name]["type"] == "object":
            names.add(name)
            pending += _references(schemas[name])
    found = {_class_name(name): _class(name, schemas) for name in names}
    return "\n\n".join([_HEADER, *(found[name] for name in sorted(found))])


def _response_names(paths: Mapping[str, Any]) -> Iterator[str]:
    for path, operations in paths.items():
        for operation in operations.values() if path.startswith("/api/v1") else ():
            for status, response in operation["responses"].items():
                if status.startswith("2"):
                    yield from _references(response)


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


def _class_name(schema_name: str) -> str:
    return (
        "Page" if _PAGE.fullmatch(schema_name) else schema_name.removesuffix("Response").removesuffix("View")
    )


def _class(name: str, schemas: Mapping[str, Any]) -> str:
    schema = schemas[name]
    generic = _PAGE.fullmatch(name) is not None
    required = schema.get("required", ())
    keys = []
    for key, part in schema["properties"].items():
        kind = "list[Row]" if generic and key == "data" else _type(part, schemas)
        keys.append(f"    {key}: {kind if key in required else f'NotRequired[{kind}]'}")
    bases = "TypedDict, Generic[Row]" if generic else "TypedDict"
    summary = str(PageResponse.__doc__ if generic else schema["description"]).splitlines()[0]
    head = [f"class {_class_name(name)}({bases}):", f'    """{summary.replace("`", "``")}"""']
    return "\n".join([*head, "", *keys, ""])


def _type(part: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Return the annotation for a schema; enumerations are open, so that new values fit."""
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        return _class_name(name) if schemas[name]["type"] == "object" else _type(schemas[name], schemas)
    if "anyOf" in part:
        return " | ".join(dict.fromkeys(_type(one, schemas) for one in part["anyOf"]))
    kind = part.get("type")
    if kind == "array":
        return f"list[{_type(part['items'], schemas)}]"
    if kind == "object":
        return "dict[str, Any]"
    return _PRIMITIVES.get(str(kind), "Any")


def main() -> None:
    """Write the types."""
    with TemporaryDirectory() as folder:
        inst = open_installation(Settings(home=Path(folder)))
        try:
            TARGET.write_text(types_source(create_app(inst).openapi()), "utf-8")
        finally:
            inst.close()


if __name__ == "__main__":
    main()
