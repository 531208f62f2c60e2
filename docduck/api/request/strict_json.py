"""Strict JSON (RFC 8259): only values that can be stored and returned unchanged."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from docduck.errors import InputError

_MOST_NESTED = 64
_MOST_KEYS = 5000
_LARGEST_INTEGER_DIGITS = 64
_LONGEST_SHOWN = 100
_MOST_VALUES = 500_000
_BYTE_ORDER_MARK = "\ufeff"

_STRING = re.compile(r'"(?:[^"\\]|\\.?)*+(?:"|\Z)', re.DOTALL)
"""A string, or the rest of a text with an unterminated one, so that matching takes linear time."""

_NUL_OR_SURROGATE = re.compile("\\\\u(?:0000|[dD][89a-fA-F])|[\ud800-\udfff]")
"""Characters and escapes that can't be stored; a text without them needs no further check."""


def parse_json(text: bytes | str, most_values: int = _MOST_VALUES) -> Any:
    """Return the value of a JSON text.

    Raise InputError for malformed JSON or UTF-8, nesting deeper than 64, duplicate names in an object, NUL
    characters, lone surrogates, numbers beyond a double's range, or too many values.
    """
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        raise _malformed(f"it is not UTF-8 at byte {error.start}") from error
    decoded = decoded.removeprefix(_BYTE_ORDER_MARK)
    _refuse_many(decoded, most_values)
    try:
        value = json.loads(
            decoded,
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_int=_integer,
            parse_float=_float,
        )
    except json.JSONDecodeError as error:
        raise _malformed(_fault(error)) from error
    except RecursionError as error:
        raise _malformed("it is nested too deeply") from error
    _check_shape(value)
    if _NUL_OR_SURROGATE.search(decoded):
        _check_texts(value)
    return value


def _fault(error: json.JSONDecodeError) -> str:
    place = f"at line {error.lineno}, column {error.colno}"
    if error.msg.startswith("Unterminated string"):
        return f"the string that begins {place} does not end"
    if error.pos >= len(error.doc):
        return "it ends too early"
    return f"unexpected {error.doc[error.pos]!r} {place}"


def _refuse_many(text: str, most: int) -> None:
    """Count the values before parsing: each takes far more memory than its few bytes of JSON."""
    if _values(text) > most and _values(_STRING.sub("", text)) > most:
        raise InputError(f"The body holds too many values: at most {most}")


def _values(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{") + 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        name = twice[:_LONGEST_SHOWN].encode("utf-8", "replace").decode()
        raise InputError(f"Property given twice: {name}", name)
    return made


def _malformed(reason: str) -> InputError:
    return InputError(f"Malformed JSON: {reason}", code="malformed_json")


def _refuse_constant(name: str) -> Any:
    raise _malformed(f"{name} is no JSON number")


def _integer(digits: str) -> int:
    if len(digits) > _LARGEST_INTEGER_DIGITS:
        raise _malformed("a number has more digits than can be kept")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise _malformed(f"the number {digits[:20]} is too large")
    return number


def _check_shape(value: Any) -> None:
    """Raise InputError for values that are nested too deeply, or objects with too many keys."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(_MOST_NESTED):
        below: list[Any] = []
        for container in level:
            if isinstance(container, dict) and len(container) > _MOST_KEYS:
                raise InputError(f"An object in the body has too many keys: at most {_MOST_KEYS}")
            items = container.values() if isinstance(container, dict) else container
            below += [item for item in items if isinstance(item, dict | list)]
        if not below:
            return
        level = below
    raise _malformed("it is nested too deeply")


def _check_texts(value: Any) -> None:
    problem = _find_problem(value)
    if problem is not None:
        place, words = problem
        path = ".".join(reversed(place))
        raise InputError(f"{path or 'The body'} holds {words}", path or None)


def _find_problem(value: Any) -> tuple[list[str], str] | None:
    """Return the path of a text that can't be stored, the innermost key first, and the reason."""
    if isinstance(value, str):
        words = _text_problem(value)
        return ([], words) if words else None
    if isinstance(value, dict):
        for key, item in value.items():
            if words := _text_problem(key):
                return [], words
            if problem := _find_problem(item):
                return [*problem[0], key], problem[1]
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if problem := _find_problem(item):
                return [*problem[0], str(index)], problem[1]
    return None


def _text_problem(text: str) -> str | None:
    if "\0" in text:
        return "a NUL character, which can't be stored"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "half a character (a lone surrogate)"
    return None
