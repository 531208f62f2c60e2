"""Cells of a column compared at once, and one by one."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from docduck.fields import parse_fields
from docduck.service.conditions import DocumentFacts, Effort, OutOfTime, Scope, holds
from docduck.service.conditions.vocabulary import OF_SEVERAL, Operator
from tests.service.conditions.cases import value_test

TYPES = ("text", "number", "currency", "date", "boolean")
FIELDS = parse_fields(
    [
        *({"id": f"s_{kind}", "name": kind, "type": kind} for kind in TYPES),
        {
            "id": "t",
            "name": "Lines",
            "type": "table",
            "columns": [{"id": f"c_{kind}", "name": kind, "type": kind} for kind in TYPES],
        },
    ]
)
CELLS: list[Any] = [
    *(None, "", " ", "Blue", "blue ", "blue sky", "1", "1.50", "1,50", "€ 1.234,00", 0, 1, 1.5, -2, 1e300),
    *("2024-01-02", "02.01.2024", "2024-01-02T03:04:05Z", "true", "FALSE", True, False, "nan", [1, 2]),
]


condition = partial(value_test, scope=Scope(FIELDS))


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("how", [one for one in Operator if one is not Operator.MATCHES_REGEX])
def test_a_column_is_compared_as_its_cells_are(kind: str, how: Operator) -> None:
    scalars = [one for one in CELLS if one not in (None, "", " ") and not isinstance(one, list)]
    chance = random.Random(f"{kind} {how}")
    for _ in range(50):
        value = chance.sample(scalars, 2) if how in OF_SEVERAL else chance.choice(scalars)
        cells = chance.choices(CELLS, k=chance.randint(0, 3))
        rows = DocumentFacts({"t": [{f"c_{kind}": cell} for cell in cells]})
        one_by_one = [holds(condition(kind, how, value), DocumentFacts({f"s_{kind}": one})) for one in cells]
        assert holds(condition(f"Lines.{kind}", how, value), rows) == any(one_by_one), (value, cells)


def test_cells_are_converted_once_and_within_the_time() -> None:
    rows = DocumentFacts({"t": [{"c_number": number} for number in range(50)]})
    late = condition("Lines.number", Operator.EQUALS, 99)
    with pytest.raises(OutOfTime):
        holds(late, rows, Effort(-1))
    assert not holds(late, rows)
    first = [value for value in rows._converted.values()]
    assert holds(condition("Lines.number", Operator.EQUALS, 49), rows)
    assert [value for value in rows._converted.values()] == first and len(first) == 1
