"""The schema of a resource: each property that people set is declared once, in a subclass of ``Schema``.

The bodies of the REST API, its responses, pipeline.yaml, forms, provisioning and the audit log are derived.

    class HookProperties(Schema):
        url: Annotated[str, Field(max_length=8192), Shown("Address")]
        value_format: Literal["typed", "string"] = "typed"

    @partial
    class HookUpdate(HookProperties): ...           # the body of a PATCH: nothing is required

    class HookView(HookProperties, View): ...       # a row as it is shown, with what only docduck sets
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from inspect import get_annotations
from typing import Annotated, Any, Literal, Self, TypeVar, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    PlainSerializer,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from docduck.clock import iso
from docduck.errors import InputError
from docduck.validation_messages import located_message, problem_message

_MOST_DETAILS = 100
_LIMITS = (
    *("default", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "maxProperties"),
    "pattern",
)
"""What the schema of a property says of input alone."""
_PLACES = ("body", "query", "path", "header")

Values = Mapping[str, Any]
"""Properties by the names of their attributes; those that are missing stay as they are."""

UtcTime = Annotated[dt.datetime, PlainSerializer(iso, return_type=str, when_used="json")]
"""A datetime in a view; ISO 8601 in UTC as JSON."""


class _Attributes(BaseModel):
    """What is made from the attributes of a row."""

    @classmethod
    def of(cls, source: object, **more: Any) -> Self:
        """Return what a row holds, which is not validated; ``more`` has what it lacks or hides."""
        attributes = {name: getattr(source, name) for name in cls.model_fields if name not in more} | more
        return cast(Self, cls.model_construct(None, **attributes))


class Schema(_Attributes):
    """Properties as they are sent: camelCase keys, strict types (``"5"`` is no integer), no unknown keys."""

    model_config = ConfigDict(
        extra="forbid", strict=True, alias_generator=to_camel, validate_by_alias=True, validate_by_name=False
    )

    def sent_values(self) -> dict[str, Any]:
        """Return the values that were sent, by attribute name."""
        return {
            name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set
        }

    @classmethod
    def of_values(cls, values: Values) -> Self:
        """Return the properties with the defaults of those that are missing; raise InputError."""
        sent = {
            (cls.model_fields[name].alias or name) if name in cls.model_fields else name: value
            for name, value in values.items()
        }
        try:
            return cls.model_validate(sent)
        except ValidationError as error:
            raise input_error(error.errors()) from error

    @classmethod
    def facts(cls, row: object, *but: str) -> dict[str, Any]:
        """Return the properties of a row as the audit log shows them, but for those named."""
        return {to_camel(name): getattr(row, name) for name in cls.model_fields if name not in but}


class ViewPart(_Attributes):
    """A part of what is shown of a resource, in the API and elsewhere."""

    model_config = ConfigDict(
        extra="ignore",
        strict=False,
        frozen=True,
        alias_generator=to_camel,
        validate_by_name=True,
        json_schema_serialization_defaults_required=True,
    )

    def as_json(self) -> dict[str, Any]:
        """Return the API's object."""
        return self.model_dump(mode="json", by_alias=True)


class View(ViewPart):
    """A resource as it is shown: an id, its properties, and what only docduck sets.

    Limits of properties are those of input, unless the view declares a property itself.
    """

    id: str

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        described = handler(schema)
        views = [kind for kind in cls.__mro__ if issubclass(kind, View)]
        own = {to_camel(name) for kind in views for name in get_annotations(kind)}
        for key, part in handler.resolve_ref_schema(described)["properties"].items():
            if key not in own:
                _strip(part)
        return described


def _strip(part: dict[str, Any]) -> None:
    for limit in _LIMITS:
        part.pop(limit, None)
    for choice in part.get("anyOf", ()):
        _strip(choice)


UNSENT: Any = Field(default_factory=lambda: None)
"""The default of a property that stays as it is unless it is sent; OpenAPI shows none."""

SchemaT = TypeVar("SchemaT", bound=Schema)


def partial(kind: type[SchemaT]) -> type[SchemaT]:
    """Make all properties of a schema optional, as in the body of a PATCH. A class decorator.

    None has a default, not even one that the schema has: what is omitted stays, but programs that are made
    from the OpenAPI document send defaults.
    """
    for name, info in kind.model_fields.items():
        kind.model_fields[name] = optional = copy(info)
        optional.default, optional.default_factory = UNSENT.default, UNSENT.default_factory
    kind.model_rebuild(force=True)
    return kind


def differences(known: object, values: Values) -> dict[str, Any]:
    """Return those of the wanted values that ``known`` does not have."""
    return {name: value for name, value in values.items() if getattr(known, name) != value}


OwnControl = Literal["amount", "file_types", "fields", "senders", "models"]
"""Kinds of controls that the type of a property doesn't tell."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How a form shows a property, where its name, type and description don't tell it.

    ``choices`` are the labels of values. Properties of the same ``fold`` are folded away while they are
    empty. ``is_long`` shows several lines of a text. ``input_mode`` is the HTML attribute. ``kind`` is that
    of a control of its own. What is shown of an object without a label are its properties.
    """

    label: str = ""
    note: str = ""
    placeholder: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    fold: str = ""
    is_long: bool = False
    input_mode: str = ""
    kind: OwnControl | None = None


class ProblemAt(ValueError):
    """What a validator finds wrong with a key inside the value."""

    def __init__(self, key: str, words: str) -> None:
        super().__init__(words)
        self.key = key


def input_error(problems: Sequence[Any]) -> InputError:
    """Return pydantic's errors as one InputError with all places, up to a hundred."""
    details = [(_path(problem), problem_message(problem)) for problem in problems[:_MOST_DETAILS]]
    path, words = details[0]
    is_whole = tuple(problems[0]["loc"]) in ((), ("body",))
    return InputError(
        f"The body {words}" if is_whole else located_message(path, words), path or None, details
    )


def problem_place(problem: Mapping[str, Any]) -> tuple[int | str, ...]:
    """Return the location of one of ``ValidationError.errors()``, with the key of a ProblemAt."""
    cause = problem.get("ctx", {}).get("error")
    return (*problem["loc"], cause.key) if isinstance(cause, ProblemAt) else tuple(problem["loc"])


def _path(problem: Mapping[str, Any]) -> str:
    place = problem_place(problem)
    inner = place[1:] if place and place[0] in _PLACES else place
    return ".".join(str(part) for part in inner if not str(part).startswith(("function-", "constrained-")))


T = TypeVar("T")


def view_of(kind: type[T], source: object, **more: Any) -> T:
    """Return a dataclass with the attributes of a row; ``more`` has what it lacks or hides."""
    names = (field.name for field in fields(kind) if field.name not in more)  # type: ignore[arg-type]
    return kind(**{name: getattr(source, name) for name in names}, **more)
