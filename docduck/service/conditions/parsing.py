"""Parsing of condition objects of the API."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from docduck import regex
from docduck.errors import InputError
from docduck.extraction.values import typed_values
from docduck.fields import Field
from docduck.service.conditions.condition import Condition, Scalar
from docduck.service.conditions.targets import ConditionTarget, Kind, find_target, stored_target
from docduck.service.conditions.vocabulary import (
    OF_SEVERAL,
    OF_TEXT,
    OPERATORS,
    SYMBOLS,
    Aspect,
    Operator,
)

LONGEST_TEXT = 10_000
MOST_VALUES = 1000
LONGEST_NAME = 200
_MOST_BITS = 4096
_KEYS = frozenset({"type", "field", "condition", "operator", "value", "name"})

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Scope:
    """The possible targets of conditions: a parser's fields and some document properties."""

    fields: Sequence[Field]
    properties: Collection[str] = ()


def parse_condition(
    raw: Any, scope: Scope, path: str, further_keys: Collection[str] = frozenset()
) -> Condition:
    """Parse a condition object; raise InputError at ``path`` or inside it.

    ``further_keys`` are read by the caller.
    """
    refuse_code(raw, path)
    item = require_object(raw, path, _KEYS | set(further_keys))
    target = find_target(_text(item, "field", path), scope.fields, scope.properties, f"{path}.field")
    aspect = _one_of(Aspect, _text(item, "condition", path), "condition", f"{path}.condition")
    operator = _operator(item.get("operator"), aspect, f"{path}.operator")
    _refuse_unfit(target, aspect, path)
    at = f"{path}.value"
    if operator is None:
        if item.get("value") is not None:
            raise InputError(f"value must be null for the condition '{aspect}'", at)
        condition = Condition(target, aspect)
    elif aspect is Aspect.MATCHES_FIELD:
        other = find_target(_text(item, "value", path), scope.fields, scope.properties, at)
        if other.kind is Kind.TABLE:
            raise InputError(f"'{other.name}' is a table; name one of its columns", at)
        condition = Condition(target, aspect, operator, other=other)
    else:
        value = parse_value(item.get("value"), aspect, operator, at)
        condition = Condition(target, aspect, operator, value)
    # A generated title that comes back is not stored as a name, so that it follows renames.
    name = _name(item.get("name"), f"{path}.name")
    return condition if name in (None, condition.title) else replace(condition, name=name)


def refuse_code(raw: Any, path: str) -> None:
    """Raise InputError for a rule of another type than ``simple``, before its other keys are looked at."""
    if isinstance(raw, Mapping) and raw.get("type", "simple") != "simple":
        raise InputError("Only simple rules are supported", f"{path}.type", code="unsupported_rule")


def restore_condition(stored: Mapping[str, Any], fields: Sequence[Field]) -> Condition:
    """Restore a condition stored by ``Condition.as_json(by_id=True)``; deleted fields have no value."""
    aspect = Aspect(stored["condition"])
    operator = Operator(stored["operator"]) if stored.get("operator") else None
    target = stored_target(stored["field"], fields)
    value = stored.get("value")
    if aspect is Aspect.MATCHES_FIELD:
        return Condition(
            target, aspect, operator, other=stored_target(str(value), fields), name=stored.get("name")
        )
    return Condition(
        target, aspect, operator, tuple(value) if isinstance(value, list) else value, name=stored.get("name")
    )


def parse_each(raw: Any, parse: Callable[[Any, str], T], path: str, most: int, what: str) -> tuple[T, ...]:
    """Parse an array of at most ``most`` items with ``parse``.

    Raise one InputError listing all errors.
    """
    if not isinstance(raw, list):
        raise InputError(f"{path} must be an array of {what}", path)
    if len(raw) > most:
        raise InputError(f"{path} may have {most} {what}", path)
    good: list[T] = []
    wrong: list[InputError] = []
    for index, item in enumerate(raw):
        try:
            good.append(parse(item, f"{path}.{index}"))
        except InputError as error:
            wrong.append(error)
    if wrong:
        details = [detail for error in wrong for detail in error.details]
        raise InputError(wrong[0].message, wrong[0].path, details, wrong[0].known)
    return tuple(good)


def parse_value(
    raw: Any, aspect: Aspect, operator: Operator, path: str
) -> Scalar | tuple[Scalar, ...] | None:
    """Return the operator's value; raise InputError if it has the wrong shape."""
    if aspect is Aspect.CONFIDENCE:
        return _confidence(raw, path)
    if aspect is Aspect.CONTENT_LENGTH:
        if isinstance(raw, bool) or not isinstance(raw, int) or not 0 <= raw <= 1_000_000_000:
            raise InputError("value must be a whole number from 0", path)
        return raw
    if operator not in OF_SEVERAL:
        value = _scalar(raw, path)
        if operator in OF_TEXT and not typed_values.folded(typed_values.text_of(value) or ""):
            raise InputError(f"value must not be empty for '{operator}'", path)
        if operator is Operator.MATCHES_REGEX:
            if not isinstance(value, str):
                raise InputError("value must be a regular expression", path)
            regex.check_pattern(value, path)
        return value
    if not isinstance(raw, list):
        raise InputError(f"value must be an array for '{operator}'", path)
    if operator is Operator.BETWEEN and len(raw) != 2:
        raise InputError("value must be [lowest, highest] for 'between'", path)
    if not 1 <= len(raw) <= MOST_VALUES:
        raise InputError(f"value must have 1 to {MOST_VALUES} items", path)
    return tuple(_scalar(item, f"{path}.{index}") for index, item in enumerate(raw))


def require_object(raw: Any, path: str, keys: Collection[str]) -> Mapping[str, Any]:
    """Return ``raw`` as an object; raise InputError if it is none or has unknown keys."""
    if not isinstance(raw, Mapping):
        raise InputError(f"{path} must be an object", path)
    for key in raw:
        if key not in keys:
            raise InputError(f"Unknown property: {key}", f"{path}.{key}")
    return raw


def _operator(raw: Any, aspect: Aspect, path: str) -> Operator | None:
    allowed = OPERATORS.get(aspect)
    if allowed is None:
        if raw is not None:
            raise InputError(f"operator must be null for the condition '{aspect}'", path)
        return None
    if raw is None:
        raise InputError(f"operator is required for the condition '{aspect}'", path)
    return parse_operator(raw, allowed, path)


def parse_operator(raw: Any, allowed: Sequence[Operator], path: str) -> Operator:
    """Return one of the ``allowed`` operators by name or symbol; raise InputError."""
    if isinstance(raw, str) and raw in SYMBOLS:
        raw = SYMBOLS[raw].value
    if not isinstance(raw, str) or raw not in allowed:
        raise InputError(f"Unknown operator: {raw}. Supported: {', '.join(allowed)}", path)
    return Operator(raw)


def _refuse_unfit(target: ConditionTarget, aspect: Aspect, path: str) -> None:
    if target.kind is Kind.TABLE and aspect not in (Aspect.EXISTS, Aspect.NOT_EXISTS):
        raise InputError(
            f"'{target.name}' is a table; name one of its columns, such as '{target.name}.<column>'",
            f"{path}.field",
        )
    if target.field_id is None and aspect in (Aspect.CONFIDENCE, Aspect.IS_DUPLICATE):
        raise InputError(f"The condition '{aspect}' needs an extracted field", f"{path}.field")


def _one_of(words: type[Aspect], raw: str, what: str, path: str) -> Aspect:
    try:
        return words(raw)
    except ValueError:
        raise InputError(f"Unknown {what}: {raw}. Supported: {', '.join(words)}", path) from None


def _name(raw: Any, path: str) -> str | None:
    if raw is None:
        return None
    if not isinstance(raw, str) or not raw.strip() or len(raw) > LONGEST_NAME:
        raise InputError(f"name must be text of 1 to {LONGEST_NAME} characters", path)
    return raw.strip()


def _text(item: Mapping[str, Any], key: str, path: str) -> str:
    value = item.get(key)
    if value is None:
        raise InputError(f"{key} is required", f"{path}.{key}")
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{key} must be text", f"{path}.{key}")
    return value


def _confidence(raw: Any, path: str) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not 0 <= raw <= 100:
        raise InputError("value must be a confidence: 0 to 1, or a percentage up to 100", path)
    return raw / 100 if raw > 1 else float(raw)


def _scalar(raw: Any, path: str) -> Scalar:
    match raw:
        case bool():
            return raw
        case str() if len(raw) <= LONGEST_TEXT:
            return raw
        case str():
            raise InputError(f"value may have {LONGEST_TEXT} characters", path)
        case int() if raw.bit_length() <= _MOST_BITS:
            return raw
        case float() if typed_values.decimal_of(raw) is not None:
            return raw
        case int() | float():
            raise InputError("value is too large a number", path)
        case _:
            raise InputError("value must be text, a number, true or false", path)
