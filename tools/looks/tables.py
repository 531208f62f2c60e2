"""Tables: with and without heads and lines, with groups, subtotals and wrapped rows, two side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.looks.pen import Pen
from tools.looks.sheet import Piece

_PLANS = (
    ("position", "text", "quantity", "price", "amount"),
    ("code", "text", "quantity", "unit", "price", "amount"),
    ("text", "quantity", "price", "amount"),
    ("date", "text", "amount"),
    ("date", "text", "amount", "amount", "balance"),
    ("text", "amount"),
    ("position", "code", "text", "quantity", "unit"),
    ("quantity", "text", "price", "amount"),
    ("date", "text", "quantity", "price", "amount"),
    ("text", "quantity", "unit"),
    ("code", "text", "date", "amount"),
)
_WIDTHS = {
    "text": 3.2,
    "code": 1.2,
    "date": 1.3,
    "amount": 1.3,
    "price": 1.2,
    "balance": 1.3,
    "unit": 0.8,
    "position": 0.6,
    "quantity": 0.9,
}
_NUMBERS = frozenset({"quantity", "price", "amount", "balance"})
_UNITS = ("pcs", "h", "kg", "m", "St", "ud", "szt.", "ks", "l")


@dataclass(frozen=True)
class _Column:
    kind: str
    left: float
    right: float
    numeric: bool
    head: Piece | None

    @property
    def edge(self) -> float:
        return self.right if self.numeric else self.left


def draw_table(pen: Pen) -> None:
    """Draw the look's table, with totals below some."""
    look, rng = pen.look, pen.rng
    if look.table == "none":
        return
    if look.is_slip:
        _slip_rows(pen)
    elif look.table == "pair":
        top, middle, deepest = pen.y, (pen.left + pen.right) / 2, 0.0
        for left, right in ((pen.left, middle - 8), (middle + 8, pen.right)):
            pen.y = top
            if rng.random() < 0.6:
                pen.text(left, look.words.some("heading", rng), "heading", bold=True)
            pen.down(1.3)
            _table(
                pen,
                left,
                right,
                rng.choice((("text", "amount"), ("text", "quantity", "amount"))),
                rng.randint(2, 6),
            )
            deepest = max(deepest, pen.y)
        pen.y = deepest
    else:
        plan = rng.choice(_PLANS)
        if look.table == "wide":
            plan = (*plan, "text") if "text" not in plan[-1:] else plan
        rows = rng.randint(1, 3) if look.table == "short" else rng.randint(2, 12)
        _table(pen, pen.left, pen.right, plan, rows)
    if rng.random() < 0.75:
        draw_totals(pen)


def draw_totals(pen: Pen) -> None:
    """Draw labelled amounts at the right edge."""
    look, rng = pen.look, pen.rng
    label_left = rng.random() < 0.5
    edge = pen.right - (pen.right - pen.left) * rng.uniform(0.25, 0.45)
    for _ in range(rng.randint(1, 5)):
        pen.down(0.9)
        text = look.words.label("money", rng, look.known)
        size = rng.choice((1.0, 1.0, 1.2))
        if rng.random() < 0.25:
            text += f" {look.writing.text('percent', rng)}"
        x = pen.left if look.is_slip else edge
        label = (
            pen.label(x, text, size)
            if label_left or look.is_slip
            else pen.label(edge, text, size, align="right")
        )
        value = look.writing.money(round(10 ** rng.uniform(0.5, 4.2), 2), rng.random() < 0.7)
        if label.right + 4 < pen.right - pen.width(value, size):
            pen.text(pen.right, value, "value", size, align="right", captions=(label,), bold=size > 1)
    pen.down(1.5)


def _table(pen: Pen, left: float, right: float, plan: Sequence[str], rows: int) -> None:
    look, rng = pen.look, pen.rng
    columns = _columns(pen, left, right, plan)
    top = pen.y - look.size * 1.2
    if columns[0].head is not None:
        if look.ruled != "none":
            pen.sheet.line(left, top, right, top)
            pen.sheet.line(left, pen.y + look.size * 0.4, right, pen.y + look.size * 0.4)
        pen.down(look.cell_space / look.leading)
    groups = rng.random() < 0.2
    for row in range(rows):
        if not pen.room:
            break
        if groups and row % 3 == 0:
            pen.text(left, look.words.some("group", rng), "heading", bold=rng.random() < 0.7)
            pen.down()
        deepest = pen.y
        start, first = pen.y, len(pen.sheet.pieces)
        for column in columns:
            pen.y = start
            _cell(pen, column, row)
            deepest = max(deepest, pen.y)
        pen.sheet.rows.append(pen.sheet.pieces[first:])
        pen.y = deepest
        if look.ruled in ("rows", "all"):
            pen.sheet.line(left, pen.y + look.size * 0.4, right, pen.y + look.size * 0.4)
        pen.down(look.cell_space / look.leading)
        if rng.random() < 0.05 or (groups and row % 3 == 2):
            amounts = [c for c in columns if c.kind in ("amount", "balance")]
            label = pen.label(
                columns[min(1, len(columns) - 1)].left if len(columns) > 2 else left,
                look.words.some("sum", rng),
            )
            if amounts and label.right < amounts[-1].left:
                pen.text(
                    amounts[-1].edge,
                    _number(pen, "amount"),
                    "value",
                    align="right",
                    captions=(label,),
                    heads=_heads(amounts[-1]),
                )
            pen.down()
    if look.ruled in ("box", "all"):
        end = pen.y - look.size * 1.0
        pen.sheet.box(left, top, right, end)
        for column in columns[1:]:
            pen.sheet.line(column.left - 3, top, column.left - 3, end)


def _columns(pen: Pen, left: float, right: float, plan: Sequence[str]) -> list[_Column]:
    look, rng = pen.look, pen.rng
    total = sum(_WIDTHS[kind] for kind in plan)
    align_right = rng.random() < 0.85
    columns: list[_Column] = []
    x, drop = left, 0.0
    for kind in plan:
        width = (right - left) * _WIDTHS[kind] / total
        numeric = kind in _NUMBERS and align_right
        end = x + width - 6
        head = None
        if look.table != "headless":
            text = (
                look.words.some(f"column.{kind}", rng)
                if rng.random() < max(look.known, 0.4)
                else look.words.invented(rng)
            )
            text = text.upper() if look.label_case == "upper" else text
            if kind in ("price", "amount") and rng.random() < 0.2:
                text += f" ({look.writing.currency})"
            size = min(1.0, (width - 6) / max(pen.width(text, 1.0, True), 1))
            if size < 0.6 and " " in text:
                first, _, rest = text.partition(" ")
                pen.text(
                    end if numeric else x, first, "head", 0.8, bold=True, align="right" if numeric else "left"
                )
                drop = pen.step * 0.8
                pen.y += drop
                head = pen.text(
                    end if numeric else x, rest, "head", 0.8, bold=True, align="right" if numeric else "left"
                )
                pen.y -= drop
            else:
                head = pen.text(
                    end if numeric else x,
                    text,
                    "head",
                    max(size, 0.5),
                    bold=rng.random() < 0.9,
                    align="right" if numeric else "left",
                )
        columns.append(_Column(kind, x, end, numeric, head))
        if head is not None:
            pen.sheet.kinds[head.text] = kind
        x += width
    pen.y += drop
    return columns


def _cell(pen: Pen, column: _Column, row: int) -> None:
    look, rng = pen.look, pen.rng
    heads = _heads(column)
    if rng.random() < 0.06:
        return
    if column.kind == "text":
        text = look.words.some("item", rng) if rng.random() < 0.4 else look.words.phrase(rng)
        if rng.random() < 0.2:
            text += " " + look.writing.sentence(rng)
        for number, line in enumerate(pen.wrapped(text, max(column.right - column.left, 40))[:3]):
            pen.y += pen.step if number else 0
            pen.text(column.left, line, "cell", heads=heads)
        return
    if column.kind in _NUMBERS:
        text = _number(pen, column.kind)
    elif column.kind == "position":
        text = str(row + 1)
    elif column.kind == "unit":
        text = rng.choice(_UNITS)
    else:
        text = look.writing.text("id" if column.kind == "code" else "date", rng)
    size = min(1.0, (column.right - column.left) / max(pen.width(text), 1))
    pen.text(
        column.edge, text, "cell", max(size, 0.5), align="right" if column.numeric else "left", heads=heads
    )


def _number(pen: Pen, kind: str) -> str:
    rng, writing = pen.rng, pen.look.writing
    if kind == "quantity":
        return writing.number(rng.randint(1, 40), rng.choice((0, 0, 0, 2)))
    value = round(10 ** rng.uniform(0.3, 3.8), 2) * (-1 if rng.random() < 0.06 else 1)
    return writing.money(value, rng.random() < 0.15)


def _slip_rows(pen: Pen) -> None:
    """Draw the rows of a receipt: text and amount, the quantity in the line below or before."""
    look, rng = pen.look, pen.rng
    style = rng.choice(("plain", "times", "below"))
    for _ in range(rng.randint(1, 10)):
        text = look.words.some("item", rng) if rng.random() < 0.4 else look.words.phrase(rng)
        amount = look.writing.number(round(10 ** rng.uniform(0, 2), 2))
        count = f"{rng.randint(1, 5)} x {look.writing.number(rng.uniform(1, 30))}"
        if style == "times":
            text = f"{count.split(' x ')[0]} x {text}"
        pen.text(pen.left, text[:26], "cell")
        if style == "below":
            pen.down()
            pen.text(pen.left + 8, count, "cell")
        pen.text(pen.right, amount, "cell", align="right")
        pen.down()


def _heads(column: _Column) -> tuple[Piece, ...]:
    return (column.head,) if column.head else ()
