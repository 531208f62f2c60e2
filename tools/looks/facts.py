"""Arrangements of facts: labels left of, above and below their values, in rows, boxes, bars and grids."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tools.looks.pen import Fact, Pen


def draw_facts(pen: Pen, arrangement: str, narrow: bool = False) -> None:
    """Draw a block of facts in one of ``ARRANGEMENTS``, with a heading above some.

    With ``narrow``, the block is as wide as the pen's part of the page, which other blocks are beside.
    """
    if pen.rng.random() < 0.3:
        pen.down(0.6)
        pen.text(
            pen.left,
            pen.look.words.some("heading", pen.rng),
            "heading",
            pen.rng.choice((1.0, 1.2, 1.4)),
            bold=True,
        )
        pen.down(1.3)
    _DRAW["inline" if pen.look.is_slip and arrangement in _WIDE else arrangement](pen, narrow)
    pen.down(pen.rng.uniform(0.8, 1.8))


def draw_block(pen: Pen, facts: Sequence[Fact], left: float, right: float) -> None:
    """Draw facts one below the other between ``left`` and ``right``, the label beside its value."""
    column = _column(pen, facts, left)
    aligned = pen.rng.random() < 0.15
    for number, fact in enumerate(facts):
        name = f"{number + 1}. {fact.label}" if pen.look.numbered else fact.label
        if pen.look.label_align == "right" and not aligned:
            label = pen.label(column - pen.look.size * 0.6, name, align="right")
        else:
            label = pen.label(left, name)
        if aligned:
            pen.value(right, fact.lines, label, align="right")
        else:
            pen.value(max(column, label.right + pen.look.size * 0.6), fact.lines, label)
        pen.down()


def _column(pen: Pen, facts: Sequence[Fact], left: float) -> float:
    widths = [pen.width(pen.look.label(f.label), 1.0, pen.look.label_bold) for f in facts]
    return left + sorted(widths)[-1] + pen.look.size * pen.rng.choice((0.8, 1.5, 3.0, 6.0))


def _rows(pen: Pen, narrow: bool) -> None:
    left = pen.left if narrow or pen.rng.random() < 0.75 else (pen.left + pen.right) / 2
    draw_block(pen, pen.facts(pen.rng.randint(2, 8)), left, pen.right)


def _inline(pen: Pen, narrow: bool) -> None:
    left = pen.left if narrow or pen.rng.random() < 0.7 else (pen.left + pen.right) / 2
    for fact in pen.facts(pen.rng.randint(2, 6)):
        label = pen.label(left, fact.label)
        pen.value(label.right + pen.width(" ") * pen.rng.choice((1, 1, 2)), fact.lines, label)
        pen.down()


def _above(pen: Pen, narrow: bool) -> None:
    across = 1 if narrow else pen.rng.randint(1, 4)
    for row in _rows_of(pen.facts(across * pen.rng.randint(1, 3)), across):
        _stack(pen, row, across, caption_first=True)


def _below(pen: Pen, narrow: bool) -> None:
    across = pen.rng.randint(1, 3)
    lined = pen.rng.random() < 0.6
    for row in _rows_of(pen.facts(across * pen.rng.randint(1, 3)), across):
        _stack(pen, row, across, caption_first=False, lined=lined)


def _stack(pen: Pen, row: Sequence[Fact], across: int, caption_first: bool, lined: bool = False) -> None:
    top, deepest, size = pen.y, pen.y, pen.look.label_size
    cell = (pen.right - pen.left) / across
    for column, fact in enumerate(row):
        pen.y, x = top, pen.left + column * cell
        lines = _fitting(pen, fact, cell)
        if caption_first:
            label = pen.label(x, fact.label, size)
            pen.y += pen.step * 0.95
            pen.value(x, lines, label)
        else:
            start = len(pen.sheet.pieces)
            pen.value(x, lines, None)
            if lined:
                pen.sheet.line(x, pen.y + 2.5, x + cell * 0.85, pen.y + 2.5)
            pen.y += pen.step * (0.95 if not lined else 1.05)
            label = pen.label(x, fact.label, min(size, 0.85), colon=False)
            for piece in pen.sheet.pieces[start:-1]:
                piece.captions = (label,)
        deepest = max(deepest, pen.y)
    pen.y = deepest
    pen.down(pen.rng.choice((1.2, 1.6)))


def _boxes(pen: Pen, narrow: bool) -> None:
    """Draw a form: boxes with a small label in the corner and the value below or after it."""
    across = pen.rng.randint(2, 4)
    facts = pen.facts(across * pen.rng.randint(1, 4))
    beside = pen.rng.random() < 0.2
    height = pen.step * (1.5 if beside else pen.rng.choice((2.3, 2.8, 3.6)))
    size = 1.0 if beside else min(pen.look.label_size, 0.85)
    for start, row in enumerate(_rows_of(facts, across)):
        top, cell = pen.y - pen.look.size, (pen.right - pen.left) / len(row)
        for column, fact in enumerate(row):
            x = pen.left + column * cell
            pen.sheet.box(x, top, x + cell, top + height)
            pen.y = top + pen.look.size * size + 1.5
            name = f"{start * across + column + 1} {fact.label}" if pen.look.numbered else fact.label
            label = pen.label(x + 3, name, size, colon=beside)
            if pen.look.second and not beside and height > 2.5 * pen.step:
                pen.y += pen.look.size * size
                second = pen.look.second.some(pen.rng.choice(("id", "date", "text")), pen.rng)
                pen.text(x + 3, second, "label", size * 0.9)
            if beside:
                pen.value(label.right + pen.look.size * 0.5, fact.lines[:1], label)
            else:
                pen.y += pen.step * pen.rng.choice((0.95, 1.15))
                indent = pen.rng.choice((3.0, 3.0, 8.0))
                pen.value(x + indent, _fitting(pen, fact, cell)[: 2 if height > 3 * pen.step else 1], label)
        pen.y = top + height + pen.look.size
    pen.down(0.4)


def _ruled(pen: Pen, narrow: bool) -> None:
    """Draw a table of two columns, or of four with two facts a row."""
    across = 1 if narrow else pen.rng.choice((1, 1, 2))
    facts = pen.facts(across * pen.rng.randint(2, 6))
    cell = (pen.right - pen.left) / across
    split = pen.rng.uniform(0.3, 0.5)
    vertical = pen.rng.random() < 0.6
    for row in _rows_of(facts, across):
        top = pen.y - pen.look.size * 1.1
        deepest = pen.y
        start = pen.y
        for column, fact in enumerate(row):
            pen.y, x = start, pen.left + column * cell
            label = pen.label(x + 3, fact.label)
            pen.value(max(x + split * cell + 3, label.right + 4), fact.lines[:1], label)
            deepest = max(deepest, pen.y)
            if vertical and label.right < x + split * cell:
                pen.sheet.line(x + split * cell, top, x + split * cell, deepest + pen.look.size * 0.4)
        pen.y = deepest
        pen.sheet.line(pen.left, top, pen.right, top)
        pen.down(pen.rng.choice((1.1, 1.3)))
    pen.sheet.line(pen.left, pen.y - pen.look.size * 1.1, pen.right, pen.y - pen.look.size * 1.1)


def _leaders(pen: Pen, narrow: bool) -> None:
    """Draw values at the right edge, after dots or a wide gap."""
    right = pen.right if pen.rng.random() < 0.6 else pen.left + (pen.right - pen.left) * 0.6
    dots = pen.rng.random() < 0.5
    for fact in pen.facts(pen.rng.randint(3, 8)):
        label = pen.label(pen.left, fact.label)
        lines = fact.lines[:1]
        if dots:
            room = right - label.right - (pen.width(lines[0]) if lines else 0) - 4
            count = int(room / max(pen.width("."), 1))
            if count > 4:
                pen.text(label.right + 2, "." * count, "furniture")
        pen.value(right, lines, label, align="right")
        pen.down()


def _bar(pen: Pen, narrow: bool) -> None:
    """Draw a row of labels above a row of values."""
    across = pen.rng.randint(3, 6)
    facts = pen.facts(across)
    cell = (pen.right - pen.left) / across
    lined, align = pen.rng.random() < 0.5, pen.rng.choice(("left", "left", "centre"))
    top = pen.y - pen.look.size * 1.2
    second = pen.y + pen.step * pen.rng.choice((1.0, 1.3))
    for column, fact in enumerate(facts):
        x = pen.left + column * cell + (cell / 2 if align == "centre" else 2)
        size = min(1.0, cell / max(pen.width(pen.look.label(fact.label), 1.0, pen.look.label_bold) + 6, 1))
        label = pen.label(x, fact.label, max(size, 0.6), align=align)
        first, pen.y = pen.y, second
        pen.value(x, _fitting(pen, fact, cell)[:1], label, align=align)
        pen.y = first
        if lined:
            pen.sheet.line(
                pen.left + column * cell, top, pen.left + column * cell, second + pen.look.size * 0.5
            )
    if lined:
        pen.sheet.line(pen.left, top, pen.right, top)
        pen.sheet.line(pen.left, second + pen.look.size * 0.5, pen.right, second + pen.look.size * 0.5)
    pen.y = second
    pen.down()


def _line(pen: Pen, narrow: bool) -> None:
    """Draw facts behind each other in one line, between separators."""
    separator = pen.rng.choice((" | ", " · ", ", ", "  ", " - "))
    x = pen.left
    for fact in pen.facts(pen.rng.randint(2, 5)):
        width = pen.width(pen.look.label(fact.label) + " " + "".join(fact.lines[:1]))
        if x > pen.left and x + width > pen.right:
            x = pen.left
            pen.down()
        label = pen.label(x, fact.label)
        x = label.right + pen.width(" ")
        if fact.lines:
            pen.value(x, [fact.lines[0] + separator.rstrip() if separator == ", " else fact.lines[0]], label)
            x = pen.sheet.pieces[-1].right
        if separator.strip() and separator != ", ":
            pen.text(x + pen.width(" "), separator.strip(), "furniture")
        x += pen.width(separator)
    pen.down()


def _columns(pen: Pen, narrow: bool) -> None:
    top, middle = pen.y, (pen.left + pen.right) / 2
    count = pen.rng.randint(2, 6)
    draw_block(pen, [_short(f) for f in pen.facts(count)], pen.left, middle - 10)
    deepest, pen.y = pen.y, top
    draw_block(pen, [_short(f) for f in pen.facts(count)], middle + 10, pen.right)
    pen.y = max(deepest, pen.y)


def _mirrored(pen: Pen, narrow: bool) -> None:
    """Draw values left of their labels, at a common edge."""
    edge = pen.left + (pen.right - pen.left) * pen.rng.uniform(0.3, 0.5)
    for fact in pen.facts(pen.rng.randint(2, 5)):
        label = pen.label(edge + pen.look.size, fact.label, colon=False)
        pen.value(edge, fact.lines[:1], label, align="right")
        pen.down()


def _grid(pen: Pen, narrow: bool) -> None:
    """Draw numbers under column labels beside row labels."""
    rng, look = pen.rng, pen.look
    columns = [look.words.label("text", rng, look.known) for _ in range(rng.randint(2, 4))]
    cell = (pen.right - pen.left) / (len(columns) + 1.5)
    kind = rng.choice(("quantity", "money", "date", "id"))
    heads = [
        pen.text(
            pen.left + (i + 1.5) * cell, name, "label", min(1.0, cell / (pen.width(name) + 4)), bold=True
        )
        for i, name in enumerate(columns)
    ]
    pen.down(1.2)
    for _ in range(rng.randint(1, 5)):
        row = pen.label(pen.left, look.words.label("text", rng, look.known), min(1.0, 1.3 * cell / 90))
        for i, head in enumerate(heads):
            if rng.random() < 0.92:
                text = look.writing.text(kind, rng)
                size = min(1.0, (cell - 4) / max(pen.width(text), 1))
                pen.text(
                    pen.left + (i + 1.5) * cell, text, "value", max(size, 0.5), captions=(row,), heads=(head,)
                )
        pen.down(1.1)


def _sentences(pen: Pen, narrow: bool) -> None:
    for _ in range(pen.rng.randint(1, 3)):
        for line in pen.wrapped(pen.look.writing.sentence(pen.rng), pen.right - pen.left):
            pen.text(pen.left, line, "prose")
            pen.down()


def _fitting(pen: Pen, fact: Fact, cell: float) -> list[str]:
    return [line for text in fact.lines for line in pen.wrapped(text, cell - 8)][:4]


def _short(fact: Fact) -> Fact:
    return Fact(fact.label, tuple(line[:24].rstrip() for line in fact.lines[:2]))


def _rows_of(facts: Sequence[Fact], across: int) -> list[Sequence[Fact]]:
    return [facts[at : at + across] for at in range(0, len(facts), across)]


_DRAW: dict[str, Callable[[Pen, bool], None]] = {
    "rows": _rows,
    "inline": _inline,
    "above": _above,
    "below": _below,
    "boxes": _boxes,
    "ruled": _ruled,
    "leaders": _leaders,
    "bar": _bar,
    "line": _line,
    "columns": _columns,
    "mirrored": _mirrored,
    "grid": _grid,
    "sentences": _sentences,
}
_WIDE = frozenset({"bar", "columns", "mirrored", "boxes", "ruled", "grid", "below"})
