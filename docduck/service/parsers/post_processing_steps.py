"""Parsing of the steps of post-processing in the API's shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from docduck import regex
from docduck.errors import InputError
from docduck.extraction.post_processing.field_values import fitted
from docduck.extraction.post_processing.steps import (
    MODES,
    ON_MISSING,
    FieldRef,
    LookupStep,
    Pairing,
    Step,
    Transform,
    TransformStep,
)
from docduck.extraction.post_processing.transforms import (
    DECIMAL_SEPARATORS,
    GROUP_SEPARATORS,
    LONGEST_FORMAT,
    MOST_DECIMALS,
    is_date_format,
)
from docduck.fields import Field, FieldType
from docduck.service.conditions.parsing import LONGEST_TEXT, parse_each, require_object
from docduck.service.conditions.targets import find_target
from docduck.service.core.property_types import has_controls
from docduck.service.parsers.step_schema import (
    DEFAULT_THRESHOLD,
    LOOKUP,
    LOWEST_THRESHOLD,
    MOST_PAIRS,
    MOST_STEPS,
    OPTIONS,
)

_TEXTS = (FieldType.TEXT, FieldType.LIST)

T = TypeVar("T", bound=str)
Tables = Mapping[str, Sequence[str]]
"""The columns of lookup tables by name."""


def parse_steps(raw: Any, fields: Sequence[Field], tables: Tables, path: str = "steps") -> tuple[Step, ...]:
    """Parse the API's array of steps; raise InputError listing all errors by path (``steps.0.field``)."""
    return parse_each(raw, lambda item, at: parse_step(item, fields, tables, at), path, MOST_STEPS, "steps")


def parse_step(raw: Any, fields: Sequence[Field], tables: Tables, path: str) -> Step:
    """Parse one step; raise InputError at ``path`` or inside it."""
    kind = raw.get("type") if isinstance(raw, Mapping) else None
    if kind == "lookup":
        return _lookup(require_object(raw, path, LOOKUP), fields, tables, path)
    if kind == "transform":
        return _transform(raw, fields, path)
    if not isinstance(raw, Mapping):
        raise InputError(f"{path} must be an object", path)
    raise InputError(f"Unknown type of step: {kind}. Supported: transform, lookup", f"{path}.type")


def _transform(raw: Mapping[str, Any], fields: Sequence[Field], path: str) -> TransformStep:
    name = _one_of([transform.value for transform in Transform], raw.get("transform"), "transform", path)
    transform = Transform(name)
    require_object(raw, path, ("type", "field", "transform", *OPTIONS.get(transform, ())))
    options: dict[str, Any] = {}
    source = None
    match transform:
        case Transform.REGEX_REPLACE:
            pattern = _text(raw, "pattern", path, blank=True)
            regex.check_pattern(pattern, f"{path}.pattern")
            replacement = _text(raw, "replacement", path, blank=True)
            regex.check_replacement(pattern, replacement, f"{path}.replacement")
            options = {"pattern": pattern, "replacement": replacement}
        case Transform.DATE_FORMAT:
            pattern = _text(raw, "format", path)
            if not is_date_format(pattern):
                raise InputError(
                    f"format must have at most {LONGEST_FORMAT} characters and be a date format such as "
                    "DD.MM.YYYY, made of YYYY, YY, MM, M, DD and D",
                    f"{path}.format",
                )
            options = {"format": pattern}
        case Transform.NUMBER_FORMAT:
            options = _number_format(raw, path)
    target = find_ref(_text(raw, "field", path), fields, f"{path}.field")
    if raw.get("from") is not None:
        source = find_ref(_text(raw, "from", path), fields, f"{path}.from")
        _refuse_other_rows(source, target.table, f"{path}.from")
    _check_target(transform, target, source, path)
    if transform is Transform.DEFAULT:
        options = {"value": _default(target, raw.get("value"), path)}
    return TransformStep(target, transform, options, source)


def _default(target: FieldRef, value: Any, path: str) -> Any:
    """Return a default as a value of the field's type; raise InputError."""
    fitting = fitted(target.field, value)
    if fitting is None:
        raise InputError(f"value must fit '{target.name}', which is a {target.field.type}", f"{path}.value")
    return fitting


def _check_target(transform: Transform, target: FieldRef, source: FieldRef | None, path: str) -> None:
    """Raise InputError unless the transform can write the field."""
    kind = target.field.type
    if transform in (Transform.DATE_FORMAT, Transform.NUMBER_FORMAT):
        if kind is not FieldType.TEXT:
            raise InputError(f"'{target.name}' is a {kind}; a format is written into a text", f"{path}.field")
        if source is not None and source.field.type in (FieldType.LIST, FieldType.BOOLEAN, FieldType.CHOICE):
            raise InputError(f"'{source.name}' is a {source.field.type}", f"{path}.from")
    elif transform is not Transform.DEFAULT and kind not in _TEXTS:
        raise InputError(f"'{target.name}' is a {kind}; {transform} changes texts and lists", f"{path}.field")


def _number_format(raw: Mapping[str, Any], path: str) -> dict[str, Any]:
    decimals = raw.get("decimals", 2)
    if isinstance(decimals, bool) or not isinstance(decimals, int) or not 0 <= decimals <= MOST_DECIMALS:
        raise InputError(f"decimals must be a whole number from 0 to {MOST_DECIMALS}", f"{path}.decimals")
    separator = raw.get("decimalSeparator", ".")
    _one_of(DECIMAL_SEPARATORS, separator, "decimalSeparator", path)
    group = raw.get("groupSeparator", "")
    _one_of(GROUP_SEPARATORS, group, "groupSeparator", path)
    if group == separator:
        raise InputError("groupSeparator must differ from decimalSeparator", f"{path}.groupSeparator")
    return {"decimals": decimals, "decimalSeparator": separator, "groupSeparator": group}


def _lookup(raw: Mapping[str, Any], fields: Sequence[Field], tables: Tables, path: str) -> LookupStep:
    table = _text(raw, "table", path)
    if table not in tables:
        raise InputError(f"There is no lookup table '{table}'", f"{path}.table")

    def pairs(key: str) -> tuple[Pairing, ...]:
        pairings = parse_each(
            raw.get(key),
            lambda item, at: _pairing(item, fields, tables[table], at),
            f"{path}.{key}",
            MOST_PAIRS,
            "pairs of field and column",
        )
        if not pairings:
            raise InputError(f"{key} needs at least one pair of field and column", f"{path}.{key}")
        return pairings

    match, write = pairs("match"), pairs("write")
    for index, pair in enumerate(write):
        if (pair.field.table and pair.field.table.id) != (write[0].field.table and write[0].field.table.id):
            raise InputError(
                "All fields that a step writes must be in the same table, or in none",
                f"{path}.write.{index}.field",
            )
    for index, pair in enumerate(match):
        _refuse_other_rows(pair.field, write[0].field.table, f"{path}.match.{index}.field")
    mode = _one_of(MODES, raw.get("mode", "exact"), "mode", path)
    on_missing = _one_of(ON_MISSING, raw.get("onMissing", "keep"), "onMissing", path)
    return LookupStep(table, match, write, mode, _threshold(raw, mode, path), on_missing)


def _threshold(raw: Mapping[str, Any], mode: str, path: str) -> float | None:
    threshold = raw.get("threshold")
    if mode == "exact":
        if threshold is not None:
            raise InputError("threshold is for the mode 'fuzzy'", f"{path}.threshold")
        return None
    if threshold is None:
        return DEFAULT_THRESHOLD
    number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
    if not number or not LOWEST_THRESHOLD <= threshold <= 1:
        raise InputError(f"threshold must be a number from {LOWEST_THRESHOLD} to 1", f"{path}.threshold")
    return float(threshold)


def _pairing(raw: Any, fields: Sequence[Field], columns: Sequence[str], path: str) -> Pairing:
    pair = require_object(raw, path, ("field", "column"))
    field = find_ref(_text(pair, "field", path), fields, f"{path}.field")
    column = _text(pair, "column", path).strip()
    if column not in columns:
        raise InputError(f"The lookup table has no column '{column}'", f"{path}.column")
    return Pairing(field, column)


def find_ref(ref: str, fields: Sequence[Field], path: str) -> FieldRef:
    """Return the field by id or name, or ``Table.Column``; raise InputError for unknown ones and tables."""
    target = find_target(ref, fields, (), path)
    field = next(field for field in fields if field.id == target.field_id)
    if target.column_id is not None:
        return FieldRef(next(column for column in field.columns if column.id == target.column_id), field)
    if field.type is FieldType.TABLE:
        raise InputError(f"'{field.name}' is a table; name one of its columns", path)
    return FieldRef(field)


def _refuse_other_rows(ref: FieldRef, table: Field | None, path: str) -> None:
    """Raise InputError for a column of another table than that whose rows are changed."""
    if ref.table is not None and (table is None or ref.table.id != table.id):
        raise InputError(f"'{ref.name}' is in another table than the field that is written", path)


def _one_of(known: Sequence[T], value: Any, key: str, path: str) -> T:
    if not isinstance(value, str) or value not in known:
        choices = ", ".join(repr(choice) if not choice.strip() else choice for choice in known)
        raise InputError(f"{key} must be one of: {choices}", f"{path}.{key}")
    return next(choice for choice in known if choice == value)


def _text(raw: Mapping[str, Any], key: str, path: str, *, blank: bool = False) -> str:
    value = raw.get(key)
    if value is None:
        raise InputError(f"{key} is required", f"{path}.{key}")
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or not (blank or value.strip()):
        raise InputError(f"{key} must be text", f"{path}.{key}")
    if has_controls(value):
        raise InputError(f"{key} must not hold control characters", f"{path}.{key}")
    return value
