"""Readable messages for errors of Pydantic.

("limit", "must be at most 100")
("fields.0.options", "must be an array")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any


class InvalidId(ValueError):
    """What a validator says of an id that is none; the message names where it is."""


_INTEGER, _NUMBER, _TEXT, _ARRAY, _OBJECT = (
    "must be an integer",
    "must be a number",
    "must be a string",
    "must be an array",
    "must be an object",
)

_FIXED: Mapping[str, str] = {
    "missing": "is required",
    "none_required": "must be null",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": _INTEGER,
    "int_parsing": _INTEGER,
    "int_parsing_size": "has too many digits",
    "int_from_float": _INTEGER,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": "must be a finite number",
    "string_type": _TEXT,
    "string_unicode": _TEXT,
    "path_type": "must be a path",
    "list_type": _ARRAY,
    "tuple_type": _ARRAY,
    "dict_type": _OBJECT,
    "mapping_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
}

Context = Mapping[str, Any]

_WITH_CONTEXT: Mapping[str, Callable[[Context], str]] = {
    "greater_than": lambda ctx: f"must be greater than {_number(ctx['gt'])}",
    "greater_than_equal": lambda ctx: f"must be at least {_number(ctx['ge'])}",
    "less_than": lambda ctx: f"must be less than {_number(ctx['lt'])}",
    "less_than_equal": lambda ctx: f"must be at most {_number(ctx['le'])}",
    "string_too_short": lambda ctx: f"must have at least {_many(ctx['min_length'], 'character')}",
    "string_too_long": lambda ctx: f"must have at most {_many(ctx['max_length'], 'character')}",
    "string_pattern_mismatch": lambda ctx: f"must match the pattern {ctx['pattern']}",
    "too_short": lambda ctx: f"must have at least {_many(ctx['min_length'], 'item')}",
    "too_long": lambda ctx: f"must have at most {_many(ctx['max_length'], 'item')}",
    "literal_error": lambda ctx: f"must be {ctx['expected']}",
    "enum": lambda ctx: f"must be {ctx['expected']}",
    "value_error": lambda ctx: str(ctx["error"]),
    "assertion_error": lambda ctx: str(ctx["error"]),
}


def problem_message(problem: Mapping[str, Any]) -> str:
    """Return the message of one of ``ValidationError.errors()``."""
    kind = problem["type"]
    if kind == "extra_forbidden":
        return f"Unknown property: {problem['loc'][-1]}"
    if isinstance(problem.get("ctx", {}).get("error"), InvalidId):
        return f"Invalid {_last_name(problem['loc'])}"
    template = _WITH_CONTEXT.get(kind)
    return template(problem["ctx"]) if template else _FIXED.get(kind, "is not valid")


def located_message(path: str, words: str) -> str:
    """Return a message that names the path, unless the words do."""
    return words if words.startswith(("Unknown property: ", "Invalid ")) else f"{path}: {words}"


def _last_name(place: Sequence[int | str]) -> str:
    """Return the name that a location ends with, with its position in a list: ``documentIds.0``."""
    parts = [str(part) for part in place if not str(part).startswith(("function-", "constrained-"))]
    start = max((at for at, part in enumerate(parts) if not part.isdecimal()), default=0)
    return ".".join(parts[start:])


def _number(limit: Any) -> str:
    return str(int(limit) if isinstance(limit, float) and limit.is_integer() else limit)


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
