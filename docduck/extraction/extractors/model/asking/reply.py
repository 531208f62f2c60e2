"""A model's answer: the text of a chat completion, and the JSON object in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from docduck.ids import snake_case
from docduck.outbound.http import HttpResponse

_TAG = r"(?:think|thinking|thought|reasoning)"
_THOUGHTS = re.compile(rf"^.*</{_TAG}>", re.DOTALL)
_UNFINISHED = re.compile(rf"^\s*<{_TAG}>")
_CUT_OFF = frozenset({"length", "model_length", "max_tokens"})
_REFUSED = ("content_filter", "refusal", "safety")
_MOST_STARTS = 200
_DEEPEST = 2
"""Objects around the one that was asked for."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote: its answer, and what it thought before.

    ``is_cut_off`` is whether the limit on what it writes ended it, ``is_refused`` whether it refuses to
    answer. ``usage`` is the server's count of tokens.
    """

    answer: str
    thoughts: str
    is_cut_off: bool
    is_refused: bool
    usage: Mapping[str, Any]

    @property
    def written(self) -> str:
        return self.thoughts + self.answer

    @property
    def only_thought(self) -> bool:
        """Whether thinking used up all that it may write."""
        return self.is_cut_off and not self.answer.strip() and bool(self.thoughts)


def read_reply(response: HttpResponse) -> Reply | None:
    """Return the reply in a response; None if it is none of a chat completion."""
    try:
        content = json.loads(response.body)
        choice = content["choices"][0]
        message = choice["message"]
        text, hidden = _texts(message.get("content"))
        hidden += str(message.get("reasoning_content") or message.get("reasoning") or "")
        is_refused = bool(message.get("refusal"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    ended = str(choice.get("finish_reason")).casefold()
    usage = content.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    is_cut_off = ended in _CUT_OFF
    if _UNFINISHED.match(text) and not _THOUGHTS.match(text):
        thoughts, answer = hidden + text, ""
    else:
        said = _THOUGHTS.match(text)
        thoughts, answer = hidden + (said[0] if said else ""), text[said.end() :] if said else text
        if not answer.strip() and hidden and not is_cut_off:
            # Some servers take an answer for thoughts.
            answer = hidden
    if not thoughts and _thought_tokens(usage):
        thoughts = "…"
    return Reply(answer, thoughts, is_cut_off, is_refused or ended.startswith(_REFUSED), usage)


def _texts(content: Any) -> tuple[str, str]:
    """Return the text of a message, and thoughts among its parts."""
    if not isinstance(content, list):
        return str(content or ""), ""
    parts = [part for part in content if isinstance(part, dict)]
    thoughts = [_texts(part["thinking"])[0] for part in parts if "thinking" in part]
    return "".join(str(part.get("text") or "") for part in parts), "".join(thoughts)


def _thought_tokens(usage: Mapping[str, Any]) -> bool:
    details = usage.get("completion_tokens_details")
    return bool(isinstance(details, dict) and details.get("reasoning_tokens"))


def find_object(text: str, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the object in ``text`` that has most keys of ``schema``; None if there is none or it is cut off.

    Keys that differ from the schema's in case, spaces and signs are taken for them, as a field's name is; an
    object that holds nothing but another one, or a list of it, is taken for that. Numbers that JSON does not
    know (NaN, Infinity) make an object invalid.
    """
    decoder = json.JSONDecoder(parse_constant=_refuse_constant)
    best: dict[str, Any] = {}
    at = text.find("{")
    for _ in range(_MOST_STARTS):
        if at < 0:
            break
        try:
            parsed, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            for candidate in _unwrapped(parsed):
                found = _aligned(candidate, schema)
                if _answered(found, schema) > _answered(best, schema):
                    best = found
                if _answered(found, schema):
                    break
        at = text.find("{", end)
    return best or None


def _unwrapped(parsed: dict[str, Any], depth: int = 0) -> Iterator[dict[str, Any]]:
    """Yield an object, and those that are its values: ``{"document": {…}}``, ``{"documents": [{…}]}``."""
    yield parsed
    if depth == _DEEPEST:
        return
    for value in parsed.values():
        inner = value[0] if isinstance(value, list) and len(value) == 1 else value
        if isinstance(inner, dict):
            yield from _unwrapped(inner, depth + 1)


def _answered(found: Mapping[str, Any], schema: Mapping[str, Any]) -> int:
    """Return how many properties of the schema an object has values for; none if it repeats the schema."""
    known = [key for key in schema["properties"] if key in found]
    are_schemas = all(
        isinstance(found[key], dict) and schema["properties"][key].get("type") != "object" for key in known
    )
    return 0 if are_schemas else len(known)


def _aligned(found: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object with the schema's own keys; one that is there twice keeps the value at its own key."""
    properties: Mapping[str, Any] = schema["properties"]
    aligned: dict[str, Any] = {}
    for name, value in found.items():
        key = name if name in properties else _key_of(name, properties)
        if key == name or (key not in found and key not in aligned):
            aligned[key] = _value(value, properties.get(key))
    return aligned


def _value(value: Any, wanted: Mapping[str, Any] | None) -> Any:
    """Return a property's value, a table's rows with the schema's keys; ``{"value": …}`` is its value."""
    if wanted is None:
        return value
    if isinstance(value, dict) and "value" in value and "properties" not in wanted:
        value = value["value"]
    rows = wanted.get("items")
    if isinstance(value, list) and isinstance(rows, Mapping) and "properties" in rows:
        return [_aligned(row, rows) if isinstance(row, dict) else row for row in value]
    return value


def _key_of(name: str, properties: Mapping[str, Any]) -> str:
    """Return the key that a model means by ``name``: one like it, or whose description begins with it."""
    plain = _plain(name)
    for key, wanted in properties.items():
        described = str(wanted.get("description", ""))
        if _plain(key) == plain or described == name or described.startswith(f"{name}."):
            return key
    return name


def _plain(key: str) -> str:
    return snake_case(key, "?").replace("_", "")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
