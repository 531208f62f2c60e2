"""Evaluation cases on disk: ``<suite>/<case>/{document, schema.json, truth.json}``.

``schema.json`` has the API's Field shape under ``fields``. ``truth.json`` maps each field's name to its
value, a table to rows of ``{column: value}``. The document is the one other file, with any name.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docduck.errors import InputError
from docduck.fields import Field, FieldType, parse_fields


@dataclass(frozen=True, slots=True)
class Case:
    """One document with its fields and their true values."""

    suite: str
    name: str
    document: Path
    fields: tuple[Field, ...]
    truth: dict[str, Any]


def find_cases(root: Path, suites: Collection[str] | None = None) -> list[Case]:
    """Return all cases below ``root``, by suite and name. Raise InputError for an invalid case."""
    if not root.is_dir():
        raise InputError(f"{root} is not a folder")
    cases = [
        _read(folder)
        for folder in sorted(root.glob("*/*"))
        if (folder / "truth.json").is_file() and (not suites or folder.parent.name in suites)
    ]
    if not cases:
        raise InputError(
            f"{root} holds no <suite>/<case>/truth.json" + (" of these suites" if suites else "")
        )
    return cases


def _read(folder: Path) -> Case:
    documents = [
        path
        for path in sorted(folder.iterdir())
        if path.is_file() and path.name not in ("schema.json", "truth.json") and path.name[0] != "."
    ]
    if len(documents) != 1:
        raise InputError(f"{folder} must hold one document beside schema.json and truth.json")
    try:
        schema = json.loads((folder / "schema.json").read_text("utf-8"))
        truth = json.loads((folder / "truth.json").read_text("utf-8"))
        fields = tuple(parse_fields(schema))
        _check_truth(fields, truth)
    except OSError as error:
        raise InputError(f"{folder}: {Path(error.filename).name}: {error.strerror}") from error
    except (ValueError, InputError) as error:
        raise InputError(f"{folder}: {error}") from error
    return Case(folder.parent.name, folder.name, documents[0], fields, truth)


def _check_truth(fields: Sequence[Field], truth: Any) -> None:
    if not isinstance(truth, dict):
        raise InputError("truth.json must be an object of {field name: value}")
    for field in fields:
        value = truth.get(field.name) or []
        rows = field.type is FieldType.TABLE
        if (rows or field.type is FieldType.LIST) and not isinstance(value, list):
            raise InputError(f"truth.json: '{field.name}' is a {field.type.value} and must be an array")
        if rows and not all(isinstance(row, dict) for row in value):
            raise InputError(f"truth.json: the rows of '{field.name}' must be objects of {{column: value}}")
