"""How long the rules of a review stage take on a document with a long table."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from docduck.fields import parse_fields
from docduck.service.conditions import Condition, DocumentFacts, Scope, holds, parse_condition
from tests.benchmarks.figures import Figure

ROWS = 1000
_TIMES = 15
FIELDS = parse_fields(
    [
        {"id": "n", "name": "Number", "type": "text"},
        {"id": "g", "name": "Total", "type": "currency"},
        {
            "id": "t",
            "name": "Lines",
            "type": "table",
            "columns": [
                {"id": "a", "name": "Article", "type": "text"},
                {"id": "b", "name": "Amount", "type": "currency"},
                {"id": "d", "name": "Day", "type": "date"},
                {"id": "q", "name": "Quantity", "type": "number"},
            ],
        },
    ]
)
Raw = tuple[str, str | None, Any, str]
VALUE = "extracted_value"
MIXED: Sequence[Raw] = [
    ("Number", "equals", "A-1", VALUE),
    ("Number", "starts_with", "a", VALUE),
    ("Number", None, None, "exists"),
    ("Number", "in", ["A-1", "A-2"], VALUE),
    ("Total", "greater_than", 10, VALUE),
    ("Total", "between", [10, 1000], VALUE),
    ("Total", "less_than", 0.95, "confidence"),
    ("Total", "not_equals", 5, VALUE),
    ("Lines.Amount", "greater_than", 90_000, VALUE),
    ("Lines.Amount", "between", [90_000, 100_000], VALUE),
    ("Lines.Amount", "equals", 99_900, VALUE),
    ("Lines.Amount", "in", [99_900, 99_901], VALUE),
    ("Lines.Article", "contains", "last", VALUE),
    ("Lines.Article", "equals", "the last one", VALUE),
    ("Lines.Article", "starts_with", "the", VALUE),
    ("Lines.Article", "ends_with", "one", VALUE),
    ("Lines.Quantity", "greater_than", 90, VALUE),
    ("Lines.Quantity", "equals", 99, VALUE),
    ("Lines.Quantity", "greater_than_or_equal", 99, VALUE),
    ("Lines.Amount", "less_than", 0.2, "confidence"),
]
"""As people write them: of fields and of columns."""

COSTLY: Sequence[Raw] = [
    *MIXED[8:],
    ("Lines.Article", "matches_regex", "l.st one$", VALUE),
    ("Lines.Article", "less_than", 13, "content_length"),
    ("Lines.Day", "greater_than", "2029-01-01", VALUE),
    ("Lines.Day", "in", ["2030-01-01"], VALUE),
    ("Lines.Day", None, None, "is_not_valid_date"),
    ("Lines.Quantity", "less_than", "Lines.Amount", "matches_field"),
    ("Lines.Day", None, None, "not_exists"),
    ("Lines.Amount", None, None, "not_exists"),
]
"""Of columns only, of all kinds."""


def rules(_folder: Path, _documents: int) -> Iterator[Figure]:
    """Measure 20 rules that hold in the last row only, so that every row counts."""
    name = f"20 rules on a document with {ROWS:,} rows"
    yield Figure(name, milliseconds(MIXED), "ms", limit=5)
    yield Figure(f"{name}, all of columns", milliseconds(COSTLY), "ms")


def milliseconds(raw: Sequence[Raw]) -> float:
    """Return the processor time of one evaluation on a fresh document, the best of several."""
    conditions = [_condition(*one) for one in raw]
    best = float("inf")
    for _ in range(_TIMES):
        facts = _facts()
        begin = time.process_time()
        for one in conditions:
            holds(one, facts)
        best = min(best, time.process_time() - begin)
    return best * 1000


def _condition(field: str, how: str | None, value: Any, condition: str) -> Condition:
    raw = {"field": field, "condition": condition, "operator": how, "value": value}
    return parse_condition(raw, Scope(FIELDS), "rule")


def _facts() -> DocumentFacts:
    rows: list[dict[str, Any]] = [
        {"a": f"article {number}", "b": number * 1.25, "d": f"2024-01-{number % 28 + 1:02}", "q": number % 7}
        for number in range(ROWS - 1)
    ]
    evidence: list[dict[str, Any]] = [{"b": {"confidence": 0.9}} for _ in rows]
    rows.append({"a": "the last one", "b": 99_900.0, "d": "2030-01-01", "q": 99})
    evidence.append({"b": {"confidence": 0.1}})
    values = {"n": "A-1", "g": 119.0, "t": rows}
    return DocumentFacts(values, {"g": {"confidence": 0.9}, "t": evidence})
