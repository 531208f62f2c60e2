"""Operations of the OpenAPI document, and the parameters of the client's methods for them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tools.client.types import PRIMITIVES, REQUESTS, object_name


@dataclass(frozen=True)
class Special:
    """What the OpenAPI document doesn't say of a method.

    ``names`` are the names of arguments that aren't those of the JSON, ``body`` is the name of an argument
    that is the whole body. Arguments in ``positional`` need no name; for those in ``nullable``, None is a
    value. Lists that are ``of_all`` are of all parsers without a ``parser_id``; with None as ``parser_id``,
    what may be ``of_team`` is about something of the team.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    positional: Sequence[str] = ()
    nullable: Sequence[str] = ()
    of_all: bool = False
    of_team: bool = False
    iterates: bool = True
    read_only: bool = False
    held_seconds: int = 0


SPECIAL = {
    "audit_log.list": Special(names={"from": "since", "to": "until"}),
    "documents.history": Special(iterates=False),
    "documents.list": Special(of_all=True),
    "documents.reprocess": Special(positional=["document_id"]),
    "documents.search": Special(positional=["q"], nullable=["folder_id"]),
    "fields.add": Special(body="field"),
    "fields.delete": Special(names={"fieldId": "field"}),
    "fields.reorder": Special(names={"fieldIds": "fields"}),
    "fields.suggest": Special(read_only=True),
    "fields.update": Special(names={"fieldId": "field"}, body="changes"),
    "parsers.evaluate": Special(positional=["document_ids"], held_seconds=60),
    **{
        f"webhooks.{name}": Special(of_team=True)
        for name in (
            "create",
            "delete",
            "deliveries",
            "get",
            "list",
            "retry",
            "rotate_secret",
            "secret",
            "test",
            "update",
        )
    },
    "reviews.reject": Special(positional=["reason"]),
}


@dataclass(frozen=True)
class Operation:
    """An operation; its id names the client's resource and method."""

    id: str
    method: str
    path: str
    spec: Mapping[str, Any]

    @property
    def resource(self) -> str:
        """The client's resource."""
        return self.id.partition(".")[0]

    @property
    def name(self) -> str:
        """The resource's method."""
        return self.id.partition(".")[2]

    @property
    def special(self) -> Special:
        """What the document doesn't say of it."""
        return SPECIAL.get(self.id, Special())

    @property
    def is_read_only(self) -> bool:
        """Whether it changes nothing."""
        permission: str = self.spec["x-required-permission"]
        return permission.endswith(":read") or self.special.read_only

    @property
    def content(self) -> Mapping[str, Any]:
        """The media types of its body, with their schemas."""
        body = self.spec.get("requestBody", {}).get("content", {})
        return {} if self.method == "DELETE" else {kind: media["schema"] for kind, media in body.items()}

    def name_of(self, json_name: str) -> str:
        """Return the name of an argument."""
        return self.special.names.get(json_name) or snake(json_name)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a method; one without a ``default`` is required."""

    name: str
    type: str
    default: str | None = None
    description: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.type}" + ("" if self.default is None else f" = {self.default}")


def snake(name: str) -> str:
    """Return ``folder_id`` for ``folderId``."""
    return re.sub("([A-Z])", r"_\1", name).lower()


def parameters(operation: Operation, schemas: Mapping[str, Any]) -> list[Parameter]:
    """Return the parameters: required ones first, and those of pages last."""
    every = [*_of_path(operation), *_of_query(operation), *_of_body(operation, schemas)]
    if operation.method == "POST" and not operation.is_read_only:
        every.append(Parameter("idempotency_key", "str | None", "None"))
    last = ("page", "limit", "idempotency_key", "if_match")
    return sorted(every, key=lambda each: (_rank(operation, each), each.name in last))


def is_positional(operation: Operation, parameter: Parameter) -> bool:
    """Return whether an argument need not be named."""
    return _rank(operation, parameter) < 2


def _rank(operation: Operation, parameter: Parameter) -> int:
    if parameter.default is None or (operation.special.of_all and parameter.name == "parser_id"):
        return 0
    return 1 if parameter.name in operation.special.positional else 2


def _of_path(operation: Operation) -> Iterator[Parameter]:
    for name in re.findall(r"{(\w+)}", operation.path):
        special, is_parser = operation.special, name == "parserId"
        kind = "str | None" if is_parser and (special.of_all or special.of_team) else "str"
        default = "None" if is_parser and special.of_all else None
        yield Parameter(operation.name_of(name), kind, default)


def _of_query(operation: Operation) -> Iterator[Parameter]:
    specs = operation.spec.get("parameters", ())
    with_default = _with_default({spec["name"] for spec in specs})
    for spec in specs:
        if spec["in"] == "query":
            name, schema = operation.name_of(spec["name"]), spec["schema"]
            kind = argument_type(schema, {})
            if name in with_default:
                yield Parameter(name, kind, str(schema["default"]))
            else:
                yield Parameter(name, _or(kind, "None"), "None", spec.get("description", ""))
        elif spec["name"] == "If-Match":
            yield Parameter("if_match", "str | None", "None", spec["description"])


def _of_body(operation: Operation, schemas: Mapping[str, Any]) -> Iterator[Parameter]:
    is_only_way = len(operation.content.keys() - {"text/csv"}) == 1
    if "multipart/form-data" in operation.content:
        yield Parameter("file", *(("File",) if is_only_way else ("File | None", "None")))
    schema = operation.content.get("application/json", {})
    schema, *_ = [part for part in schema.get("anyOf", [schema]) if part.get("type") != "null"]
    if operation.special.body:
        yield Parameter(operation.special.body, argument_type(schema, schemas))
        return
    schema = schemas[object_name(schema)] if "$ref" in schema else schema
    with_default = _with_default(schema.get("properties", ()))
    for json_name, part in schema.get("properties", {}).items():
        if len(part.get("enum", (1, 2))) == 1:
            continue
        name, kind = operation.name_of(json_name), argument_type(part, schemas)
        description = part.get("description", "")
        if json_name in schema.get("required", ()) and is_only_way:
            yield Parameter(name, kind, None, description)
        elif operation.method == "POST" and name not in operation.special.nullable:
            default = str(part["default"]) if name in with_default else "None"
            yield Parameter(name, kind if default != "None" else _or(kind, "None"), default, description)
        else:
            yield Parameter(name, _or(kind, "Unset"), "UNSET", description)


def _with_default(names: Container[str]) -> tuple[str, ...]:
    """Return the parameters that are always sent: not the number of a page that a cursor can replace."""
    return ("limit",) if "cursor" in names else ("page", "limit")


def argument_type(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Return the annotation of an argument; None comes last."""
    if "$ref" in schema:
        name = object_name(schema)
        other = "str" if schemas.get(name, {}).get("type") != "object" else "Mapping[str, Any]"
        return f"{name} | {other}" if name in REQUESTS else other
    kind = schema.get("type")
    if isinstance(kind, list):
        return _or(*(argument_type({**schema, "type": each}, schemas) for each in kind))
    if kind == "array":
        return f"Sequence[{argument_type(schema['items'], schemas)}]"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Mapping[str, {argument_type(values, schemas) if isinstance(values, dict) else 'Any'}]"
    if {each.get("format") for each in schema.get("anyOf", ())} >= {"date", "date-time"}:
        return _or("str", "dt.date", *("None" for each in schema["anyOf"] if each.get("type") == "null"))
    if "anyOf" in schema:
        return _or(*(argument_type(each, schemas) for each in schema["anyOf"]))
    if schema.get("format") == "date-time":
        return "str | dt.datetime"
    return "str" if "const" in schema else PRIMITIVES.get(str(kind), "Any")


def _or(*kinds: str) -> str:
    """Return the union of types, with None last."""
    parts = dict.fromkeys(part for kind in kinds for part in kind.split(" | "))
    return " | ".join(sorted(parts, key=lambda part: (part == "None", part == "Unset")))
