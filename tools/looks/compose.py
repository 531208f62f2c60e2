"""Whole pages of a look."""

from __future__ import annotations

import random

from tools.looks.facts import draw_facts
from tools.looks.look import Look
from tools.looks.parties import draw_addressee, draw_footer, draw_letterhead, draw_parties, make_party
from tools.looks.pen import Pen
from tools.looks.sheet import Sheet
from tools.looks.tables import draw_table


def draw_page(look: Look, number: int) -> Sheet:
    """Return page ``number`` of a look: its content differs, its form doesn't."""
    rng = random.Random(f"page {look.seed} {number}")
    sheet = Sheet(look.width, look.height, look.type)
    pen = Pen(look, sheet, rng)
    form = random.Random(f"form {look.seed}")
    sender = make_party("sender", look.writing, form)
    person = form.choice((0.0, 0.3, 1.0))
    addressee = make_party("addressee", look.writing, rng, person)
    labelled = [
        role
        for role in ("sender", "addressee", "third")
        if form.random() < {"sender": 0.3, "addressee": 0.4, "third": 0.35}[role]
    ]
    blocks = ["facts"] * len(look.arrangements) + ["table", "ticks", "prose"]
    if form.random() < 0.35:
        form.shuffle(blocks)
    arrangements = iter(look.arrangements)
    draw_letterhead(pen, sender)
    if look.title in ("right", "large", "spaced", "middle", "with number"):
        _title(pen)
    top = pen.y
    draw_addressee(pen, addressee, sender)
    if look.beside and look.addressee not in ("none", "right") and not look.is_slip:
        pen.y, bottom = top, pen.y
        pen.left, left = (pen.left + pen.right) * form.choice((0.5, 0.55, 0.6)), pen.left
        draw_facts(pen, form.choice(("rows", "inline", "ruled", "above", "leaders")), narrow=True)
        pen.left, pen.y = left, max(pen.y, bottom)
    if rng.random() < 0.3:
        noise = look.writing.text(rng.choice(("id", "date", "web", "phone")), rng)
        sheet.write(
            rng.choice((pen.left, pen.right - pen.width(noise))),
            look.margin * 0.6,
            noise,
            "furniture",
            look.size * 0.8,
        )
    if labelled:
        known = {"sender": sender, "addressee": addressee, "third": make_party("third", look.writing, rng)}
        draw_parties(pen, [known[role] for role in labelled])
    for block in blocks:
        if not pen.room:
            break
        if block == "facts":
            draw_facts(pen, next(arrangements))
        elif block == "table":
            pen.down(0.5)
            draw_table(pen)
        elif block == "ticks":
            _ticks(pen)
        else:
            _prose(pen)
    draw_footer(pen, sender)
    sheet.pieces = [
        p for p in sheet.pieces if p.left >= 0 and p.right <= look.width and p.bottom < look.height
    ]
    return sheet


def _title(pen: Pen) -> None:
    look, rng = pen.look, pen.rng
    text = look.words.some("title", random.Random(f"title {look.seed}"))
    size = {"large": 2.0, "middle": 1.3}.get(look.title, 1.6)
    text = " ".join(text.upper()) if look.title == "spaced" and len(text) < 12 else text
    size = min(size, (pen.right - pen.left) / max(pen.width(text, 1.0, True), 1))
    pen.y += look.size * (size - 0.5)
    if rng.random() < 0.1:
        pen.text(pen.left, look.writing.text("id", rng), "value", size * 0.7, bold=True)
        pen.down(1.5)
    if look.title == "middle":
        pen.text((pen.left + pen.right) / 2, text, "heading", size, bold=True, align="centre")
    elif look.title == "right":
        pen.text(pen.right, text, "heading", size, bold=True, align="right")
    elif look.title == "with number":
        label = pen.text(pen.left, text, "label", size, bold=True)
        value = look.writing.text("id", rng)
        if label.right + pen.width(value, size, True) + 10 < pen.right:
            pen.text(label.right + pen.width(" ", size), value, "value", size, bold=True, captions=(label,))
    else:
        pen.text(pen.left, text, "heading", size, bold=True)
    pen.down(1.8)


def _prose(pen: Pen) -> None:
    look, rng = pen.look, pen.rng
    if rng.random() < 0.4:
        return
    if rng.random() < 0.5:
        pen.text(pen.left, look.writing.filled(look.words.some("greeting", rng), rng), "prose")
        pen.down(1.4)
    text = " ".join(look.writing.sentence(rng) for _ in range(rng.randint(1, 4)))
    for line in pen.wrapped(text, pen.right - pen.left):
        if pen.room:
            pen.text(pen.left, line, "prose")
            pen.down()
    pen.down()


def _ticks(pen: Pen) -> None:
    """Draw questions with their options, the chosen one ticked in the look's way."""
    look, rng = pen.look, pen.rng
    if look.ticks == "none" or look.is_slip:
        return
    marks = {
        "box": ("☒", "☐"), "bracket": ("[x]", "[ ]"), "cross": ("X", ""), "circle": ("●", "○"),
        "drawn": ("x", ""), "table": ("X", ""),
    }[look.ticks]  # fmt: skip
    first = rng.random() < 0.6
    heads = []
    names = look.words.some("yesno", rng).split("/")
    x0 = pen.left + (pen.right - pen.left) * 0.55
    if look.ticks == "table":
        heads = [pen.text(x0 + i * 80, name, "head", bold=True) for i, name in enumerate(names)]
        pen.down(1.2)
    for _ in range(rng.randint(1, 6)):
        if not pen.room:
            break
        text = (
            look.words.some("question", rng)
            if rng.random() < max(look.known, 0.5)
            else look.words.invented(rng)
        )
        label = pen.label(pen.left, text)
        chosen = rng.randrange(len(names)) if rng.random() < 0.9 else -1
        x = max(label.right + 15, x0) if look.ticks == "table" or rng.random() < 0.7 else label.right + 15
        for i, name in enumerate(names):
            mark = marks[0] if i == chosen else marks[1]
            if look.ticks == "table":
                if mark:
                    pen.text(x0 + i * 80, mark, "value", captions=(label,), heads=(heads[i],))
                continue
            if look.ticks == "drawn":
                pen.sheet.box(x, pen.y - look.size * 0.8, x + look.size * 0.9, pen.y + look.size * 0.1)
            shown = f"{mark} {name}".strip() if first else f"{name} {mark}".strip()
            indent = look.size * 1.2 if look.ticks == "drawn" and not mark else 0
            piece = pen.text(x + indent, shown, "option", captions=(label,))
            x = piece.right + 18
        pen.down(1.15)
    pen.down()
