"""Controls of settings: what a form shows of them, and what was changed in it.

The form holds what it showed, so that only what a person changed is sent: settings that were changed
elsewhere meanwhile stay.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from docduck.documents.detection.file_types import labels
from docduck.errors import InputError
from docduck.web.visit import Form, form_value

SHOWN = "shown"

Kind = Literal[
    "text",
    "long",
    "lines",
    "number",
    "amount",
    "switch",
    "tristate",
    "choice",
    "file_types",
    "fields",
    "senders",
]
_TRISTATE = {None: "", True: "yes", False: "no"}
Raw = Mapping[str, list[str]]
"""What the controls hold, by their paths, as browsers send it."""


@dataclass(frozen=True, slots=True)
class Control:
    """A setting; ``path`` leads to it in the body of a ``PATCH``, such as ``splitDocuments.mode``.

    ``choices`` are values with their labels.
    """

    path: str
    kind: Kind
    label: str
    note: str = ""
    choices: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Controls below one heading."""

    title: str
    note: str
    controls: Sequence[Control]


def raw_values(controls: Sequence[Control], values: Mapping[str, Any]) -> Raw:
    """Return what the controls show of settings with all defaults."""
    return {control.path: _raw(control, _value_at(values, control.path)) for control in controls}


def typed_values(controls: Sequence[Control], given: Form) -> Raw:
    """Return what the controls held when the form was sent."""
    return {control.path: given.get(control.path, []) for control in controls}


def changed_values(controls: Sequence[Control], given: Form) -> dict[str, Any]:
    """Return what was changed, as the body of a ``PATCH``; raise InputError without what was shown."""
    try:
        shown = json.loads(form_value(given, SHOWN))
    except ValueError as error:
        raise InputError("The form can't be read. Load the page again") from error
    if not isinstance(shown, dict):
        raise InputError("The form can't be read. Load the page again")
    changes: dict[str, Any] = {}
    typed = typed_values(controls, given)
    for control in controls:
        raw = typed[control.path]
        # A box that is not checked is not sent, all else is.
        if control.path in shown and raw != shown[control.path] and (raw or _is_boxes(control)):
            *outer, last = control.path.split(".")
            place = changes
            for key in outer:
                place = place.setdefault(key, {})
            place[last] = _parsed(control, raw)
    return changes


def control_at(controls: Sequence[Control], path: str | None) -> str | None:
    """Return the path of the control that an error is about; None if there is none."""
    parts = (path or "").split(".")
    paths = {control.path for control in controls}
    return next(
        (found for end in range(len(parts), 0, -1) if (found := ".".join(parts[:end])) in paths), None
    )


def file_types(raw: Raw) -> Mapping[str, str]:
    """Return the types of files that can be read, and others that are accepted, with their labels."""
    known = labels()
    return {**known, **{kind: kind for kind in raw["acceptedFileTypes"] if kind not in known}}


def _is_boxes(control: Control) -> bool:
    return control.kind in ("switch", "file_types", "fields")


def _value_at(values: Mapping[str, Any], path: str) -> Any:
    found: Any = values
    for key in path.split("."):
        found = found[key]
    return found


def _raw(control: Control, value: Any) -> list[str]:
    match control.kind:
        case "switch":
            return ["yes"] if value else []
        case "tristate":
            return [_TRISTATE[value]]
        case "file_types" | "fields":
            return list(value)
        case "lines":
            return ["\n".join(value)]
        case "senders":
            return ["\n".join(rule["value"] for rule in value)]
        case "number" | "amount":
            return ["" if value is None else f"{value:.15g}"]
        case _:
            return [(value or "").replace("\r\n", "\n")]


def _parsed(control: Control, raw: list[str]) -> Any:
    if control.kind == "switch":
        return raw == ["yes"]
    if _is_boxes(control):
        return raw
    text = raw[0]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    match control.kind:
        case "lines":
            return lines
        case "tristate":
            return {shown: value for value, shown in _TRISTATE.items()}.get(text, text)
        case "senders":
            return [{"type": "email" if "@" in line else "domain", "value": line} for line in lines]
        case "number":
            return _number(text.strip())
        case "amount":
            return _number(text.strip() or "0")
        case _:
            return text


def _number(text: str) -> int | float | str | None:
    """Return a number; what is none stays text, which the check of the settings refuses."""
    if not text:
        return None
    for kind in (int, float):
        try:
            return kind(text) if len(text) < 30 else text
        except ValueError:
            continue
    return text
