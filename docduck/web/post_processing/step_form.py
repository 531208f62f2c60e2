"""The form of a step: what it shows, and the step that it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docduck.extraction.values.typed_values import text_of
from docduck.fields import Field, FieldType
from docduck.service.parsers.step_schema import OPTIONS
from docduck.web.visit import Form, form_value, number_of, numbered

_LOOKUP = ("table", "mode", "threshold", "onMissing")
_TRANSFORM = ("field", "transform", *dict.fromkeys(name for names in OPTIONS.values() for name in names))
_MAY_BE_EMPTY = ("pattern", "replacement", "groupSeparator")


@dataclass(frozen=True, slots=True)
class RawStep:
    """What the controls of a step hold, by their names; ``match`` and ``write`` are fields with columns."""

    type: str
    texts: Mapping[str, str]
    match: Sequence[tuple[str, str]] = field(default_factory=tuple)
    write: Sequence[tuple[str, str]] = field(default_factory=tuple)


NEW_TRANSFORM = RawStep("transform", {**dict.fromkeys(_TRANSFORM, ""), "decimalSeparator": "."})
NEW_LOOKUP = RawStep("lookup", {**dict.fromkeys(_LOOKUP, ""), "mode": "exact", "onMissing": "keep"})


def raw_step(step: Mapping[str, Any]) -> RawStep:
    """Return the form of a step in the API's shape."""
    empty = NEW_LOOKUP if step["type"] == "lookup" else NEW_TRANSFORM
    texts = {**empty.texts, **{key: text_of(step[key]) or "" for key in empty.texts if key in step}}
    return RawStep(empty.type, texts, _pairs(step.get("match", ())), _pairs(step.get("write", ())))


def typed_step(form: Form) -> RawStep:
    """Return the form as it was sent; pairs without field and column are left out."""
    empty = NEW_LOOKUP if form_value(form, "type") == "lookup" else NEW_TRANSFORM
    match, write = (_typed_pairs(form, key) for key in ("match", "write"))
    return RawStep(empty.type, {key: form_value(form, key) for key in empty.texts}, match, write)


def parsed_step(raw: RawStep, old: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the step in the API's shape, unchecked; ``old`` if its form was not changed."""
    if old is not None and raw == raw_step(old):
        return dict(old)
    texts = raw.texts
    if raw.type == "lookup":
        return {
            "type": "lookup",
            "table": texts["table"],
            "match": [{"field": name, "column": column} for name, column in raw.match],
            "write": [{"field": name, "column": column} for name, column in raw.write],
            "mode": texts["mode"],
            "onMissing": texts["onMissing"],
            **({"threshold": number_of(texts["threshold"].strip())} if texts["threshold"].strip() else {}),
        }
    names = [name for name in OPTIONS.get(texts["transform"], ()) if texts[name] or name in _MAY_BE_EMPTY]
    options: dict[str, Any] = {name: texts[name] for name in names}
    if "decimals" in options:
        options["decimals"] = number_of(texts["decimals"].strip())
    return {"type": "transform", "field": texts["field"], "transform": texts["transform"], **options}


def targets(fields: Sequence[Field]) -> list[str]:
    """Return what steps can read and write: fields, and columns as ``Table.Column``."""
    return [
        name
        for field in fields
        for name in (
            [f"{field.name}.{column.name}" for column in field.columns]
            if field.type is FieldType.TABLE
            else [field.name]
        )
    ]


def _typed_pairs(form: Form, key: str) -> list[tuple[str, str]]:
    rows = [f"{key}.{number}" for number in numbered(form, f"{key}.#.field")]
    pairs = [(form_value(form, f"{row}.field"), form_value(form, f"{row}.column")) for row in rows]
    return [pair for pair in pairs if any(pair)]


def _pairs(pairs: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
    return [(pair["field"], pair["column"]) for pair in pairs]
