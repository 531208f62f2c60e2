"""The source of ``docduck.client.resources``, from the OpenAPI document.

An operation is named for the client's method: ``folders.list`` is ``client.folders.list``. A list with pages
becomes a method that returns a page, and one that iterates over the rows of all pages.
"""

from __future__ import annotations

import re
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tools.client.operations import Operation, Parameter, is_positional, parameters, snake
from tools.client.types import PAGES, class_name, object_name, only_property, type_of

BASES = {"documents": "DocumentSets", "exports": "ExportFiles"}
"""Base classes with the methods of a resource that are written by hand."""

BY_HAND = ("documents.bulk_update", "documents.delete", "exports.create")
"""Operations of these methods, which do more than send their arguments."""

ALL_BY_HAND = ("process", "upload_pages")
"""Resources whose methods are all written by hand."""

OTHER_WAYS = (
    "documents.bulk_update_by_patch",
    "documents.delete_one",
    "documents.reprocess_one",
)
"""Operations that do the same as another one, which the client uses."""

OF_TEAM = "_of_team"
"""The end of the operations of the methods that take None as a parser."""

WITH_SETTINGS = ("classifiers", "parsers")
"""Resources with many properties that creating and updating share: they are one type."""

CLASSES = {
    "audit_log": ("AuditLog", "Who changed what in the team; the key needs the permission ``audit:read``."),
    "classifiers": ("Classifiers", "Classifiers; ``client.process.files_to_classifier`` uploads documents."),
    "documents": ("Documents", "Documents of a parser, and their values."),
    "exports": ("Exports", "Documents of a parser as files, and saved layouts of them."),
    "fields": ("ParserFields", "Fields of a parser, named by name or id."),
    "folders": ("Folders", "Folders of a parser's documents."),
    "lessons": ("Lessons", "What a parser has learned from corrections and approvals."),
    "events": ("Events", "What happened to the team's documents."),
    "me": ("Me", "What the client's key is, and what it may do."),
    "models": ("Models", "The language models that parsers and classifiers can name."),
    "parsers": ("Parsers", "Parsers of the key's team, and their settings."),
    "post_processing": ("PostProcessing", "Steps that change extracted values, and their lookup tables."),
    "process": ("Processing", ""),
    "review_stages": ("ReviewStages", "Review stages of a parser, and the team's reviewers."),
    "reviews": ("Reviews", "Decisions on a parser's documents in review."),
    "upload_pages": ("UploadPages", ""),
    "usage": ("Usage", "The team's documents and pages, and its use of language models."),
    "webhooks": ("Webhooks", "Webhooks of a parser or of all of them, and their deliveries."),
}
"""Names and docstrings of resources' classes; others get them from the resource's name."""

_API, _WIDTH = "/api/v1", 110
_HEADER = '''\
"""The API's resources, with a method for each operation.

Generated from the OpenAPI document by ``python -m tools.client``; do not edit. Methods that are written by
hand are in the base classes.
"""

# mypy: disable-error-code="empty-body"
# fmt: off

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

from docduck.client import types
from docduck.client.documents import DocumentSets
from docduck.client.exports import ExportFiles
from docduck.client.processing import Processing
from docduck.client.transport.encoding import UNSET, Unset
from docduck.client.transport.endpoint import M, Resource, Runner, listing
from docduck.client.transport.operation import operation
from docduck.client.transport.retries import Retries
from docduck.client.transport.uploads import File
from docduck.client.types import CursorPage, FeedPage, FieldInput, Page
from docduck.client.upload_pages import UploadPages
'''


def resources_source(document: Mapping[str, Any]) -> str:
    """Return the source of ``docduck.client.resources`` for an OpenAPI document."""
    schemas = document["components"]["schemas"]
    resources: dict[str, list[Operation]] = defaultdict(list)
    for path, operations in document["paths"].items():
        for method, spec in operations.items() if path.startswith(_API) else ():
            if spec["operationId"] not in OTHER_WAYS and not spec["operationId"].endswith(OF_TEAM):
                operation = Operation(spec["operationId"], method.upper(), path.removeprefix(_API), spec)
                resources[operation.resource].append(operation)
    by_name = sorted(resources.items())
    classes = [_class(name, operations, schemas) for name, operations in by_name if name not in ALL_BY_HAND]
    return "\n\n".join([_HEADER, *classes, _api(sorted(resources))])


def _class(resource: str, operations: Sequence[Operation], schemas: Mapping[str, Any]) -> str:
    """Return the class of a resource, after the type of its settings."""
    settings = _settings(operations, schemas) if resource in WITH_SETTINGS else ()
    name, docstring = _name_of(resource)
    text = ""
    if settings:
        text = f"class {name[:-1]}Settings(TypedDict, total=False):\n"
        text += f'    """Settings of a {name[:-1].lower()}."""\n\n'
        text += "".join(f"    {each.name}: {each.type}\n" for each in settings) + "\n\n"
    text += f'class {name}({BASES.get(resource, "Resource")}[M]):\n    """{docstring}"""\n'
    for operation in operations:
        if operation.id not in BY_HAND:
            has_settings = operation.name in ("create", "update") and settings
            text += _method(operation, settings if has_settings else (), f"{name[:-1]}Settings", schemas)
    return text


def _name_of(resource: str) -> tuple[str, str]:
    return CLASSES.get(resource) or (resource.title().replace("_", ""), f"``client.{resource}``.")


def _settings(operations: Iterable[Operation], schemas: Mapping[str, Any]) -> Sequence[Parameter]:
    """Return the optional parameters of updating that are also those of creating."""
    by_name = {operation.name: parameters(operation, schemas) for operation in operations}
    optional = {each.name for each in by_name["create"] if each.default} - {"name", "description"}
    return [each for each in by_name["update"] if each.name in optional]


def _method(
    operation: Operation, settings: Sequence[Parameter], settings_name: str, schemas: Mapping[str, Any]
) -> str:
    """Return an operation's method, and that which iterates over a list's pages."""
    result, unwrapped = _result(operation, schemas)
    name = operation.name
    iterates = result.startswith(("Page[", "CursorPage[", "FeedPage[")) and operation.special.iterates
    page_name = ("page" if name == "list" else f"{name}_page") if iterates else name
    in_settings = {each.name for each in settings}
    own = [each for each in parameters(operation, schemas) if each.name not in in_settings]
    named = [str(each) for each in own if not is_positional(operation, each)]
    signature = ["self", *(str(each) for each in own if str(each) not in named)]
    signature += [*(["*"] if named else []), *named]
    if settings:
        signature.append(f"**settings: Unpack[{settings_name}]")
    text = f"\n    @operation({', '.join(_options(operation, unwrapped))})\n"
    text += _definition(page_name, signature, result) + _docstring(operation, own)
    return text + (f"\n    {name} = listing({page_name})\n" if iterates else "")


def _definition(name: str, signature: Sequence[str], result: str) -> str:
    """Return the head of a method; its parameters are on further lines if one is too short."""
    line = f"    def {name}({', '.join(signature)}) -> {result}:\n"
    if len(line) <= _WIDTH + 1:
        return line
    # Textwrap breaks at blanks: none inside a parameter.
    joined = ", ".join(each.replace(" ", "\0") for each in signature) + ","
    lines = textwrap.wrap(joined, _WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return "\n".join([f"    def {name}(", *lines, f"    ) -> {result}:\n"]).replace("\0", " ")


def _options(operation: Operation, unwrapped: str | None) -> list[str]:
    """Return the arguments of the decorator."""
    special = operation.special
    path = re.sub(r"{(\w+)}", lambda match: f"{{{operation.name_of(match[1])}}}", operation.path)
    options = [f'"{operation.method}"', f'"{path}"']
    if unwrapped:
        options.append(f'result="{unwrapped}"')
    if special.body:
        options.append(f'body="{special.body}"')
    if operation.method == "POST" and operation.is_read_only:
        options.append("read_only=True")
    if special.held_seconds:
        options.append(f"held_seconds={special.held_seconds}")
    in_path = re.findall(r"{(\w+)}", operation.path)
    names = [f'"{name}": "{key}"' for key, name in special.names.items() if key not in in_path]
    if names:
        options.append(f"names={{{', '.join(names)}}}")
    return options


def _result(operation: Operation, schemas: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return the type of the result, and the property of the response that it is, if it has no other."""
    responses = operation.spec["responses"]
    content = (responses.get("200") or responses["201"])["content"]
    name = object_name(content["application/json"]["schema"])
    properties = schemas[name]["properties"]
    if (page := class_name(name)) in PAGES:
        return f"{page}[types.{type_of(properties['data']['items'], schemas)}]", None
    if property_name := only_property(schemas[name]):
        kind = type_of(properties[property_name], schemas)
        return re.sub(r"^list\[(?=[A-Z])", "Sequence[types.", kind).replace(
            "list[", "Sequence["
        ), property_name
    return f"types.{class_name(name)}", None


def _docstring(operation: Operation, own: Sequence[Parameter]) -> str:
    """Return the route's description, and those of the parameters that have one."""
    described = [
        f"``{each.name}``: {each.description.splitlines()[0].rstrip('.')}."
        for each in own
        if len(each.description.split()) > 2 and operation.method != "PATCH"
    ]
    first, *others = operation.spec["description"].split("\n\n")
    if operation.special.of_all:
        others.append("Without `parser_id`, it is a page of the documents of all parsers.")
    if operation.special.of_team:
        others.append("`parser_id` is null for webhooks of all parsers.")
    paragraphs = [_words(text, own) for text in (first, *others, " ".join(described)) if text]
    if len(paragraphs) == 1 and len(paragraphs[0]) + 14 <= _WIDTH:
        return f'        """{paragraphs[0]}"""\n'
    wrapped = [textwrap.fill(text, _WIDTH - 14) for text in paragraphs]
    return textwrap.indent('"""{}\n"""\n'.format("\n\n".join(wrapped)), " " * 8)


def _words(text: str, own: Sequence[Parameter]) -> str:
    """Return a description in terms of Python: arguments by their names, None for null."""
    names = {each.name for each in own}

    def code(match: re.Match[str]) -> str:
        return f"``{snake(match[1]) if snake(match[1]) in names else match[1]}``"

    text = re.sub("`+([^`]+)`+", code, text)
    constants = {"null": "None", "Null": "None", "true": "True", "false": "False"}
    return re.sub(r"\b(null|Null|true|false)\b", lambda match: constants[match[1]], text)


def _api(resources: Sequence[str]) -> str:
    """Return the class that has all resources."""
    lines = [
        "class Api(Resource[M]):",
        '    """All operations of the API, by resource."""\n',
        "    def __init__(self, runner: Runner, retries: Retries) -> None:",
        "        super().__init__(runner, retries)",
    ]
    for resource in resources:
        name, _ = _name_of(resource)
        lines.append(f"        self.{resource}: {name}[M] = {name}(runner, retries)")
    return "\n".join([*lines, "\n    wait = Processing.wait\n"])
