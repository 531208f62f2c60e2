"""Controls of properties: what a form shows of them, and the body that it holds.

They are derived from a schema, and rendered by ``layout/controls.html.j2``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic.alias_generators import to_snake
from pydantic.fields import FieldInfo

from docduck.documents.detection.file_types import labels
from docduck.errors import Conflict, InputError
from docduck.service.core.schema import OwnControl, Schema, Shown
from docduck.web.rest_bodies import error_at
from docduck.web.visit import Form, form_value, lines_of, number_of

SHOWN = "shown"
"""The field of forms that holds what they showed before they were changed."""

Kind = (
    Literal["text", "long", "lines", "pairs", "number", "switch", "tristate", "choice", "boxes"] | OwnControl
)
_TRISTATE = {None: "", True: "yes", False: "no"}
Raw = Mapping[str, list[str]]
"""What the controls hold, by their paths, as browsers send it."""


@dataclass(frozen=True, slots=True)
class Control:
    """A property; ``path`` leads to it in the body of a ``PATCH``, such as ``splitDocuments.mode``.

    ``choices`` are values with their labels. Controls of the same ``fold`` are folded away while empty.
    """

    path: str
    kind: Kind
    label: str
    note: str = ""
    choices: Sequence[tuple[str, str]] = ()
    placeholder: str = ""
    fold: str = ""
    input_mode: str = ""
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """Controls below one heading; advanced ones are folded away while they are as at the beginning."""

    title: str
    controls: Sequence[Control]
    is_advanced: bool = False

    @property
    def anchor(self) -> str:
        """The name of the section in addresses."""
        return self.title.lower().replace(" ", "-")


def controls_of(kind: type[Schema], prefix: str = "") -> Sequence[Control]:
    """Return the controls of all properties of a schema, in their order; ``prefix`` begins their paths.

    Those of an object are the controls of its properties; an object of one property has its explanation.
    """
    return [
        control
        for info in kind.model_fields.values()
        for control in _controls(f"{prefix}{info.alias}", info, _shown(info))
    ]


class ControlForm:
    """A form of controls: what it shows, and what a person changed in it."""

    def __init__(self, controls: Sequence[Control]) -> None:
        self.controls = controls

    def raw(self, values: Mapping[str, Any]) -> Raw:
        """Return what the controls show of values as in JSON, with all defaults."""
        return {control.path: _raw(control, _value_at(values, control.path)) for control in self.controls}

    def shown(self, values: Mapping[str, Any], form: Form | None) -> dict[str, Any]:
        """Return what a page shows of the form: what was typed if it was sent, otherwise ``values``."""
        raw = self.raw(values)
        return {
            "controls": self.controls,
            "raw": self._typed(form) if form else raw,
            "before": form_value(form, SHOWN) if form else json.dumps(raw),
        }

    def body(self, form: Form, before: Raw | None = None) -> dict[str, Any]:
        """Return what a form holds, as the body of a request; raise InputError for a line that can't be read.

        ``before`` is what the controls showed: only what was changed is in the body.
        """
        body: dict[str, Any] = {}
        typed = self._typed(form)
        for control in self.controls:
            raw = typed[control.path]
            if before is not None and (control.path not in before or raw == before[control.path]):
                continue
            # A box that is not checked is not sent, all else is.
            if raw or _is_boxes(control):
                *outer, last = control.path.split(".")
                place = body
                for key in outer:
                    place = place.setdefault(key, {})
                place[last] = _parsed(control, raw)
        return body

    def changes(self, form: Form) -> dict[str, Any]:
        """Return what a person changed in a form, which holds what it showed, as the body of a ``PATCH``.

        What was changed elsewhere meanwhile stays. Raise InputError without what was shown.
        """
        return self.body(form, shown_before(form_value(form, SHOWN)))

    def placed(self, error: InputError | None, prefix: str = "") -> InputError | None:
        """Return an error as one of the control that it is about; ``prefix`` begins the paths of controls."""
        if error is None:
            return None
        parts = f"{prefix}{error.path or ''}".split(".")
        paths = {control.path for control in self.controls}
        heads = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
        return error_at(error, next((head for head in heads if head in paths), None))

    def _typed(self, form: Form) -> Raw:
        return {control.path: form.get(control.path, []) for control in self.controls}


def shown_before(sent: str) -> dict[str, Any]:
    """Return what a form showed before it was changed, sent in it as JSON; raise InputError without that."""
    try:
        shown = json.loads(sent)
    except ValueError as error:
        raise InputError("The form can't be read. Load the page again") from error
    if not isinstance(shown, dict):
        raise InputError("The form can't be read. Load the page again")
    return shown


def check_unchanged(form: Form, present: Mapping[str, Any], what: str) -> None:
    """Raise Conflict if ``what`` a form showed was changed elsewhere meanwhile, InputError without it."""
    if shown_before(form_value(form, SHOWN)) != json.loads(json.dumps(present)):
        raise Conflict(
            f"Somebody else has changed the {what} meanwhile. Load the page again to see them",
            code="changed_meanwhile",
        )


def file_types(accepted: Sequence[str]) -> Mapping[str, str]:
    """Return the types of files that can be read, and others that are accepted, with their labels."""
    known = labels()
    return {**known, **{kind: kind for kind in accepted if kind not in known}}


def _controls(path: str, info: FieldInfo, shown: Shown) -> Sequence[Control]:
    inner = info.annotation
    if not isinstance(inner, type) or not issubclass(inner, Schema):
        return [_control(path, info, shown)]
    if not shown.label:
        return controls_of(inner, f"{path}.")
    return [_control(f"{path}.{nested.alias}", nested, shown) for nested in inner.model_fields.values()]


def _shown(info: FieldInfo) -> Shown:
    return next((item for item in info.metadata if isinstance(item, Shown)), Shown())


def _control(path: str, info: FieldInfo, shown: Shown) -> Control:
    words = to_snake(str(info.alias)).replace("_", " ")
    values = get_args(info.annotation) if get_origin(info.annotation) is Literal else ()
    return Control(
        path,
        _kind(info.annotation, shown),
        shown.label or words.capitalize(),
        shown.note or ("" if shown.label else info.description or ""),
        [(value, shown.choices.get(value, value)) for value in shown.choices or values],
        shown.placeholder,
        shown.fold,
        shown.input_mode,
        info.is_required(),
    )


def _kind(annotation: Any, shown: Shown) -> Kind:
    if shown.kind:
        return shown.kind
    match get_origin(annotation):
        case origin if origin is dict:
            return "pairs"
        case origin if origin is list:
            return "boxes" if shown.choices else "lines"
        case origin if origin is Literal:
            return "choice"
    parts = get_args(annotation) or (annotation,)
    if any(get_origin(part) is Literal for part in parts):
        return "choice"
    kinds = {get_args(part)[0] if get_origin(part) is Annotated else part for part in parts}
    if bool in kinds:
        return "tristate" if NoneType in kinds else "switch"
    if kinds & {int, float}:
        return "number"
    return "long" if shown.is_long else "text"


def _is_boxes(control: Control) -> bool:
    return control.kind in ("switch", "boxes", "file_types", "fields")


def _value_at(values: Mapping[str, Any], path: str) -> Any:
    value: Any = values
    for key in path.split("."):
        value = value[key]
    return value


def _raw(control: Control, value: Any) -> list[str]:
    match control.kind:
        case "switch":
            return ["yes"] if value else []
        case "tristate":
            return [_TRISTATE[value]]
        case "boxes" | "file_types" | "fields":
            return list(value)
        case "pairs":
            return ["\n".join(f"{name}: {item}" for name, item in value.items())]
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
    lines = lines_of(text)
    match control.kind:
        case "lines":
            return lines
        case "pairs":
            return dict(_pair(control, line) for line in lines)
        case "tristate":
            return {word: value for value, word in _TRISTATE.items()}.get(text, text)
        case "senders":
            return [{"type": "email" if "@" in line else "domain", "value": line} for line in lines]
        case "number":
            return number_of(text.strip()) if text.strip() else None
        case "amount":
            return number_of(text.strip() or "0")
        case _:
            return text


def _pair(control: Control, line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not name.strip() or not value.strip():
        kind = control.path.removesuffix("s")
        raise InputError(f"A {kind} is written as in {control.placeholder}", control.path)
    return name.strip(), value.strip()
