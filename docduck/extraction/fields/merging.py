"""Suggestions of several samples as those of their kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docduck.extraction.fields.meanings import share_known
from docduck.extraction.normal_text import key
from docduck.extraction.result import Extraction
from docduck.fields import NUMERIC, Field, FieldType

_MOST_FIELDS = 60
_FEW = 3
"""Samples from which a name that is on one of them alone, and has unknown words, is left out."""
_SAME_COLUMNS = 0.5
"""The share of common columns from which two tables are one."""

_Seen = tuple[int, Field]
"""The number of a sample, and a field that was found on it."""


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Fields for a kind of documents, those on most samples first.

    ``found_on`` tells on how many samples each was found, and ``names`` has for each sample, by a field's
    name, the one that it has there.
    """

    fields: tuple[Field, ...]
    found_on: Mapping[str, int]
    names: Sequence[Mapping[str, str]]


def merge_suggestions(samples: Sequence[Extraction]) -> Suggestions:
    """Return the fields that were found on the samples: the same name, or the same columns, are one field."""
    groups = [*_scalars(samples), *_tables(samples)]
    if len(samples) >= _FEW:
        groups = [seen for seen in groups if len(seen) > 1 or share_known(seen[0][1].name) == 1.0]
    groups.sort(key=lambda seen: (-len(seen), seen[0][1].position or 0))
    fields: list[Field] = []
    names: list[dict[str, str]] = [{} for _ in samples]
    found_on: dict[str, int] = {}
    for seen in groups[:_MOST_FIELDS]:
        name = _free(seen[0][1].name, found_on)
        fields.append(_merged([field for _, field in seen], name, len(fields)))
        found_on[name] = len(seen)
        for number, field in seen:
            names[number][name] = field.name
    return Suggestions(tuple(fields), found_on, names)


def _scalars(samples: Sequence[Extraction]) -> list[list[_Seen]]:
    groups: dict[str, list[_Seen]] = defaultdict(list)
    for number, sample in enumerate(samples):
        for field in sample.fields:
            if field.type is not FieldType.TABLE:
                groups[key(field.name)].append((number, field))
    return list(groups.values())


def _tables(samples: Sequence[Extraction]) -> list[list[_Seen]]:
    groups: list[list[_Seen]] = []
    for number, sample in enumerate(samples):
        for table in (field for field in sample.fields if field.type is FieldType.TABLE):
            same = (seen for seen in groups if seen[-1][0] != number and _are_same(seen[0][1], table))
            group = next(same, None)
            if group is None:
                groups.append([(number, table)])
            else:
                group.append((number, table))
    return groups


def _are_same(table: Field, other: Field) -> bool:
    own, others = ({key(column.name) for column in each.columns} for each in (table, other))
    return len(own & others) >= _SAME_COLUMNS * len(own | others)


def _merged(fields: Sequence[Field], name: str, position: int) -> Field:
    changes: dict[str, Any] = {"name": name, "position": position, "type": _type(fields)}
    if changes["type"] is FieldType.TABLE:
        columns: dict[str, list[Field]] = defaultdict(list)
        for table in fields:
            for column in table.columns:
                columns[key(column.name)].append(column)
        changes["columns"] = tuple(
            same[0].model_copy(update={"type": _type(same)}) for same in columns.values()
        )
    return fields[0].model_copy(update=changes)


def _type(fields: Sequence[Field]) -> FieldType:
    """Return the type that all have; of numbers and amounts, amounts; text if they differ."""
    types = {field.type for field in fields}
    if len(types) == 1:
        return types.pop()
    return FieldType.CURRENCY if types <= NUMERIC else FieldType.TEXT


def _free(name: str, taken: Mapping[str, int]) -> str:
    known = {each.casefold() for each in taken}
    numbers = (f"{name} {number}" for number in range(2, len(known) + 3))
    return next(each for each in (name, *numbers) if each.casefold() not in known)
