"""Each code of an error is raised somewhere, has a meaning, and is in the documentation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import docduck
from docduck import errors
from docduck.api.schemas.base import ErrorResponse
from docduck.error_codes import CODES, Code, known_code
from docduck.errors import Conflict, DocduckError, InputError
from docduck.workers.failure import Failure

_SOURCE = Path(docduck.__file__).parent


def raised() -> Iterator[str]:
    """The codes in the source: of classes, of places that raise, and of tables and responses."""
    for path in _SOURCE.rglob("*.py"):
        if path.name == "error_codes.py" or "remedies" in path.name:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                yield from _code_of_class(node)
            elif isinstance(node, ast.keyword):
                yield from _texts(node.value) if node.arg == "code" else ()
            elif isinstance(node, ast.AnnAssign):
                yield from _texts(node.value) if "Code" in ast.unparse(node.annotation) else ()
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "_refusal":
                yield from _texts(node.args[1])


def _code_of_class(node: ast.ClassDef) -> Iterator[str]:
    for statement in node.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else ()
        if any(ast.unparse(target) == "code" for target in targets):
            yield from _texts(statement.value)  # type: ignore[attr-defined]


def _texts(node: ast.AST | None) -> Iterator[str]:
    for part in ast.walk(node) if node else ():
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value in CODES:
            yield part.value


def test_every_code_is_raised_and_has_a_meaning() -> None:
    assert sorted(get_args(Code)) == list(get_args(Code)) == list(CODES)
    assert set(raised()) | {DocduckError.code} == set(CODES)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", code) for code in CODES)


def test_every_class_of_errors_has_a_code_that_is_listed() -> None:
    pending: list[type[DocduckError]] = [DocduckError]
    while pending:
        kind = pending.pop()
        pending += kind.__subclasses__()
        # The client's errors have the code that the server sends.
        assert kind.code in CODES or kind.__module__ == "docduck.client.errors", kind


def test_openapi_and_readme_list_every_code() -> None:
    schema: Any = ErrorResponse.model_json_schema()["properties"]["code"]
    assert schema["x-extensible-enum"] == list(CODES)
    readme = (_SOURCE / "api" / "README.md").read_text("utf-8")
    table = readme.partition("<!-- codes -->")[2].partition("<!-- /codes -->")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(CODES)


def test_the_code_of_the_place_wins_over_that_of_the_class() -> None:
    assert Conflict("x").code == "conflict"
    assert Conflict("x", code="parser_in_use").code == "parser_in_use"
    assert errors.NotFound("x", "parserId", "y").code == "not_found"


def test_a_workers_error_keeps_its_code_if_it_is_known() -> None:
    failure = Failure.of(InputError("x", code="unknown_field"))
    assert failure.error().code == "unknown_field"
    failure.details["code"] = "made_up"
    assert failure.error().code == "invalid_request"
    assert known_code("made_up") is None
