"""Fields: what a parser extracts, in the API's shape."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from docduck.errors import InputError
from docduck.validation_messages import problem_message


class FieldType(StrEnum):
    """The types of a field; a column of a table has any but ``table``."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    BOOLEAN = "boolean"
    CURRENCY = "currency"
    CHOICE = "choice"
    LIST = "list"
    TABLE = "table"


NUMERIC = frozenset({FieldType.NUMBER, FieldType.CURRENCY})
"""The types whose values are numbers."""


class Field(BaseModel):
    """A value or a table to find in a document.

    ``labels`` are words printed beside the value, in addition to the name; with ``extract`` False the field
    is filled by people and post-processing.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str | None = None
    name: str
    type: FieldType = FieldType.TEXT
    description: str | None = None
    instructions: str | None = None
    required: bool = False
    position: int | None = None
    options: tuple[str, ...] = ()
    columns: tuple[Field, ...] = ()
    labels: tuple[str, ...] = ()
    extract: bool = True

    @model_validator(mode="after")
    def _consistent(self) -> Field:
        if not self.name.strip():
            raise _Inconsistent("a field needs a name", "name")
        if self.name.strip() in (".", ".."):
            # In a URL's path it would name the parent.
            raise _Inconsistent(f"a field can't be named '{self.name.strip()}'", "name")
        if self.type is FieldType.CHOICE and not self.options:
            raise _Inconsistent(f"field '{self.name}' is a choice and needs options", "options")
        if self.columns and self.type is not FieldType.TABLE:
            words = f"field '{self.name}' has columns, but its type is {self.type.value}, not table"
            raise _Inconsistent(words, "columns")
        if self.type is FieldType.TABLE:
            for column in self.columns:
                if column.type is FieldType.TABLE:
                    words = f"column '{column.name}' of table '{self.name}' can't itself be a table"
                    raise _Inconsistent(words, "columns")
            _no_twins(self.columns, f"table '{self.name}'")
        return self


class _Inconsistent(ValueError):
    """A field whose keys contradict each other; ``key`` is the one to change."""

    def __init__(self, message: str, key: str) -> None:
        super().__init__(message)
        self.key = key


def _no_twins(fields: Iterable[Field], place: str) -> None:
    seen: set[str] = set()
    ids: set[str | None] = set()
    for field in fields:
        key = field.name.strip().casefold()
        if key in seen:
            raise _Inconsistent(f"{place} names '{field.name}' twice", "columns")
        seen.add(key)
        if field.id is not None and field.id in ids:
            raise _Inconsistent(f"{place} has the id '{field.id}' twice", "columns")
        ids.add(field.id)


def parse_fields(raw: Any) -> list[Field]:
    """Return fields from parsed JSON: an array of fields, or an object with a ``fields`` array.

    Raise InputError listing all errors by path (``fields.2.columns.0.type``). Its own path is that of the
    first, without the key if keys contradict each other.
    """
    items = raw.get("fields") if isinstance(raw, dict) else raw
    if not isinstance(items, list):
        raise InputError('Fields must be a JSON array of fields, or {"fields": [...]}', "fields")
    fields: list[Field] = []
    first = ""
    problems: list[tuple[str, str]] = []
    for index, item in enumerate(items):
        try:
            fields.append(Field.model_validate(item))
        except ValidationError as error:
            for problem in error.errors():
                path = ".".join(str(part) for part in ("fields", index, *problem["loc"]))
                first = first or path
                cause = problem.get("ctx", {}).get("error")
                key = f".{cause.key}" if isinstance(cause, _Inconsistent) else ""
                problems.append((f"{path}{key}", problem_message(problem)))
    if problems:
        raise InputError(f"{first}: {problems[0][1]}", first, problems)
    try:
        _no_twins(fields, "the parser")
    except ValueError as error:
        raise InputError(str(error), "fields") from error
    return fields
