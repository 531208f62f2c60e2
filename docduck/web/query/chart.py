"""Charts, as bars or lines: those of results have a column of numbers by another column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from docduck.warehouse.query_order import TeamResult

KINDS = ("bar", "line", "none")
WIDTH, HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 10, 12, 40
_MOST_BARS, _MOST_POINTS = 40, 1000
_LABELS, _LONGEST_LABEL = 8, 14
_NUMBERS = (
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER"),
    *("UBIGINT", "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL"),
)
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


@dataclass(frozen=True, slots=True)
class ChartChoice:
    """What is chosen of a chart: ``bar``, ``line`` or ``none``, and the columns of its axes; empty if not."""

    kind: str = ""
    x: str = ""
    y: str = ""


@dataclass(frozen=True, slots=True)
class Axes:
    """The columns that a result has for the axes of a chart, and those that are chosen."""

    labels: tuple[str, ...]
    numbers: tuple[str, ...]
    choice: ChartChoice


def axes_of(result: TeamResult, choice: ChartChoice) -> Axes | None:
    """Return what can be chosen for the chart of a result; None if no chart fits it."""
    numbers = tuple(
        name for name, type_ in zip(result.columns, result.types, strict=True) if _is(type_, _NUMBERS)
    )
    if not numbers or len(result.columns) < 2 or len(result.rows) < 2:
        return None
    return Axes(result.columns, numbers, _completed(result, choice))


def chart_of(result: TeamResult, choice: ChartChoice) -> Chart | None:
    """Return the chart of a result; None without chosen or obvious axes, and for fewer than two rows.

    Axes are obvious for two columns of which one has numbers.
    """
    choice = _completed(result, choice)
    if not (choice.x and choice.y) or choice.kind == "none":
        return None
    label_at, value_at = result.columns.index(choice.x), result.columns.index(choice.y)
    is_line = choice.kind == "line"
    points = [
        (row[label_at] or "", text, number)
        for row in result.rows
        if (text := row[value_at]) is not None and math.isfinite(number := _number(text))
    ]
    if is_line and _is(result.types[label_at], _MOMENTS):
        points.sort(key=lambda point: point[0])
    elif is_line and _is(result.types[label_at], _NUMBERS):
        points.sort(key=lambda point: _number(point[0]))
    most = _MOST_POINTS if is_line else _MOST_BARS
    visible = points[:most]
    if len(visible) < 2:
        return None
    return draw(f"{choice.y} by {choice.x}", visible, is_line, len(points) - len(visible))


def _completed(result: TeamResult, choice: ChartChoice) -> ChartChoice:
    """Return the choice with axes that the result has, or that are obvious, and with a kind."""
    types = dict(zip(result.columns, result.types, strict=True))
    x, y = (choice.x if choice.x in types else ""), (choice.y if choice.y in types else "")
    if y and not _is(types[y], _NUMBERS):
        y = ""
    if not (x and y) and len(types) == 2:
        ((first, first_type), (second, second_type)) = types.items()
        if _is(first_type, _NUMBERS) != _is(second_type, _NUMBERS):
            x, y = (second, first) if _is(first_type, _NUMBERS) else (first, second)
    kind = choice.kind if choice.kind in KINDS else ""
    return ChartChoice(kind or ("line" if x and _is(types[x], _MOMENTS) else "bar"), x, y)


def draw(
    title: str, points: Sequence[tuple[str, str, float]], is_line: bool = False, left_out: int = 0
) -> Chart:
    """Return the chart of at least one (label, number as text, number), as a line or as bars."""
    low = min(0.0, *(number for _, _, number in points))
    high = max(0.0, *(number for _, _, number in points))
    if low == high:
        high = 1.0
    step = (WIDTH - _LEFT - _RIGHT) / len(points)
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
        for at, (label, text, number) in enumerate(points)
    )
    middles = [round(_LEFT + step * (at + 0.5), 1) for at in range(len(points))]
    heights = [height_of(number) for _, _, number in points]
    every = -(-len(points) // _LABELS)
    return Chart(
        title,
        bars,
        " ".join(f"{x},{y}" for x, y in zip(middles, heights, strict=True)) if is_line else None,
        tuple(Mark(middles[at], _short(points[at][0])) for at in range(0, len(points), every)),
        tuple(Mark(height_of(number), _shown(number)) for number in sorted({low, 0.0, high})),
        left_out,
    )


def _is(name: str, types: Sequence[str]) -> bool:
    """Return whether a type is one of these, whatever its precision or time zone; lists of them are not."""
    base = name.partition("(")[0].partition(" ")[0]
    return base in types and not name.endswith("]")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"


def _shown(number: float) -> str:
    return f"{number:,.0f}" if 1000 <= abs(number) < 1e9 else f"{number:.4g}"
