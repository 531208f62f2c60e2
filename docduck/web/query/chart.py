"""Charts: that of a query's result has its first text or date column against its first column of numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from docduck.warehouse.query_order import TeamResult

WIDTH, HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 10, 12, 40
_MOST_BARS, _MOST_POINTS = 40, 1000
_LABELS, _LONGEST_LABEL = 8, 14
_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER")
_MORE_NUMBERS = ("UBIGINT", "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL")
_MOMENTS = ("DATE", "TIMESTAMP")


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar, or a point of the line at its upper middle; positions are in the chart's units."""

    x: float
    y: float
    width: float
    height: float
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A label of an axis at its position."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart; ``points`` is the line of a chart over time, None for bars."""

    title: str
    bars: tuple[Bar, ...]
    points: str | None
    x_marks: tuple[Mark, ...]
    y_marks: tuple[Mark, ...]
    left_out: int


def chart_of(result: TeamResult) -> Chart | None:
    """Return the chart of a result; None if it has no columns for one, or fewer than two rows."""
    label_at = _first(result.types, ("VARCHAR", *_MOMENTS))
    value_at = _first(result.types, (*_NUMBERS, *_MORE_NUMBERS))
    if label_at is None or value_at is None:
        return None
    is_line = _is(result.types[label_at], _MOMENTS)
    points = [
        (row[label_at] or "", text, number)
        for row in result.rows
        if (text := row[value_at]) is not None and math.isfinite(number := _number(text))
    ]
    if is_line:
        points.sort(key=lambda point: point[0])
    most = _MOST_POINTS if is_line else _MOST_BARS
    shown = points[:most]
    if len(shown) < 2:
        return None
    title = f"{result.columns[value_at]} by {result.columns[label_at]}"
    return draw(title, shown, is_line, len(points) - len(shown))


def draw(
    title: str, shown: Sequence[tuple[str, str, float]], is_line: bool = False, left_out: int = 0
) -> Chart:
    """Return the chart of at least one (label, number as text, number), as a line or as bars."""
    low = min(0.0, *(number for _, _, number in shown))
    high = max(0.0, *(number for _, _, number in shown))
    if low == high:
        high = 1.0
    step = (WIDTH - _LEFT - _RIGHT) / len(shown)
    room = HEIGHT - _TOP - _BOTTOM

    def height_of(number: float) -> float:
        # Halves, so that the difference of the largest numbers is finite.
        return round(_TOP + room * ((high / 2 - number / 2) / (high / 2 - low / 2)), 1)

    base = height_of(0.0)
    bars = tuple(
        Bar(
            round(_LEFT + step * (at + 0.1), 1),
            min(base, height_of(number)),
            round(step * 0.8, 1),
            round(abs(base - height_of(number)), 1),
            label,
            text,
        )
        for at, (label, text, number) in enumerate(shown)
    )
    middles = [round(_LEFT + step * (at + 0.5), 1) for at in range(len(shown))]
    heights = [height_of(number) for _, _, number in shown]
    every = -(-len(shown) // _LABELS)
    return Chart(
        title,
        bars,
        " ".join(f"{x},{y}" for x, y in zip(middles, heights, strict=True)) if is_line else None,
        tuple(Mark(middles[at], _short(shown[at][0])) for at in range(0, len(shown), every)),
        tuple(Mark(height_of(number), _shown(number)) for number in sorted({low, 0.0, high})),
        left_out,
    )


def _first(types: Sequence[str], wanted: Sequence[str]) -> int | None:
    return next((at for at, name in enumerate(types) if _is(name, wanted)), None)


def _is(name: str, wanted: Sequence[str]) -> bool:
    """Return whether a type is one of these, whatever its precision or time zone; lists of them are not."""
    base = name.partition("(")[0].partition(" ")[0]
    return base in wanted and not name.endswith("]")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"


def _shown(number: float) -> str:
    return f"{number:,.0f}" if 1000 <= abs(number) < 1e9 else f"{number:.4g}"
