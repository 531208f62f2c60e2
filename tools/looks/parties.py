"""Parties: the sender's letterhead and footer, the addressee, and third parties, with and without labels."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tools.looks.pen import Pen
from tools.looks.sheet import Piece
from tools.looks.values import Writing


@dataclass(frozen=True)
class PartyText:
    """What a page prints of a party."""

    role: str
    name: tuple[str, ...]
    address: tuple[str, ...]


def make_party(role: str, writing: Writing, rng: random.Random, person: float = 0.0) -> PartyText:
    """Return a party; with a chance of ``person``, somebody rather than an organisation."""
    name = writing.words.name(rng) if rng.random() < person else writing.words.company(rng, writing.legal)
    names = (name, writing.words.name(rng)) if role == "addressee" and rng.random() < 0.2 else (name,)
    return PartyText(role, names, tuple(writing.address(rng)))


def draw_letterhead(pen: Pen, sender: PartyText) -> None:
    """Draw the sender at the top of the page, in the look's way."""
    look, rng = pen.look, pen.rng
    style = look.letterhead
    if style == "none":
        return
    align = {"centre": "centre", "right": "right"}.get(style, "left")
    x = {"centre": (pen.left + pen.right) / 2, "right": pen.right}.get(align, pen.left)
    size = 1.0 if style == "small" else rng.choice((1.2, 1.6, 2.0, 2.6))
    size = min(size, (pen.right - pen.left) / max(pen.width(sender.name[0], 1.0, True), 1))
    pen.y += pen.look.size * (size - 1)
    name = sender.name[0].upper() if rng.random() < 0.15 else sender.name[0]
    pen.text(x, name, "value", size, bold=style != "small", align=align, role="sender name")
    if style == "name only":
        pen.down(1.5)
        return
    contact = [look.writing.text(kind, rng) for kind in rng.sample(("phone", "mail", "web", "taxid"), 2)]
    if style == "line":
        pen.down(1.3)
        separator = rng.choice((" · ", ", ", " | ", " - "))
        pen.text(x, separator.join(sender.address), "value", 0.8, role="sender address")
        if rng.random() < 0.5:
            pen.down()
            pen.text(x, separator.join(contact), "furniture", 0.8)
        pen.down(1.5)
        return
    top = pen.y
    if style == "split":
        x, align, pen.y = pen.right, "right", pen.y - pen.step
    for line in sender.address:
        pen.down()
        pen.text(x, line, "value", 0.9, align=align, role="sender address")
    if rng.random() < 0.6:
        for line, kind in zip(contact, ("phone", "mail"), strict=True):
            pen.down()
            if rng.random() < 0.5:
                pen.text(x, line, "furniture", 0.9, align=align)
            elif align == "left":
                label = pen.label(x, look.words.some(kind, rng), 0.9)
                pen.text(label.right + 3, look.writing.text(kind, rng), "value", 0.9, captions=(label,))
    pen.y = max(top, pen.y)
    pen.down(1.8)


def draw_addressee(pen: Pen, addressee: PartyText, sender: PartyText) -> None:
    """Draw the addressee as letters do: in the window, with the sender's line above in small print."""
    look, rng = pen.look, pen.rng
    style = look.addressee
    if style == "none" or look.is_slip:
        return
    x = pen.left if style != "right" else pen.left + (pen.right - pen.left) * 0.55
    if style == "window" and rng.random() < 0.5:
        text = rng.choice((" · ", ", ", " - ")).join((sender.name[0], *sender.address))
        pen.text(x, text, "furniture", 0.65, role="sender line")
        pen.down(1.4)
    label = None
    if style == "labelled":
        label = pen.label(x, look.words.some("addressee", rng))
        pen.down()
    _lines(pen, x, addressee, label)
    if style == "with number":
        caption = pen.label(x, look.words.some("id", rng))
        pen.value(caption.right + 4, [look.writing.text("id", rng)], caption)
        pen.down()
    pen.down(1.2)


def draw_parties(pen: Pen, parties: list[PartyText]) -> None:
    """Draw labelled parties: one below the other, side by side, in boxes or as facts."""
    look, rng = pen.look, pen.rng
    style = "block" if look.is_slip else look.party_style
    top, deepest = pen.y, pen.y
    cell = (pen.right - pen.left) / max(len(parties), 1)
    gap = rng.choice((1.1, 1.1, 2.0))
    for number, party in enumerate(parties):
        name = look.words.label(party.role, rng, max(look.known, 0.5))
        if style in ("side by side", "box"):
            pen.y, x = top, pen.left + number * cell + (4 if style == "box" else 0)
            label = pen.label(x, name, look.label_size)
            pen.down(gap)
            _lines(pen, x, party, label)
            if style == "box":
                pen.sheet.box(x - 4, top - look.size * 1.2, x + cell - 10, pen.y)
        elif style == "beside":
            label = pen.label(pen.left, name)
            _lines(pen, max(label.right + 8, pen.left + 90), party, label)
        elif style == "facts":
            heading = pen.text(pen.left, name, "label", bold=True)
            pen.down(1.1)
            texts = look.words.texts
            for sort, key, value in (
                ("name", "person", " ".join(party.name)),
                ("address", "town", ", ".join(party.address)),
            ):
                caption = pen.label(
                    pen.left,
                    texts["person"][2] if key == "person" else _ADDRESS.get(look.words.language, "Address"),
                )
                x = max(caption.right + 6, pen.left + 80)
                pen.text(x, value, "value", captions=(caption, heading), role=f"{party.role} {sort}")
                pen.down()
        else:
            label = pen.label(pen.left, name)
            if rng.random() < 0.3:
                pen.text(
                    label.right + 5, party.name[0], "value", captions=(label,), role=f"{party.role} name"
                )
                pen.down()
                _lines(pen, pen.left, PartyText(party.role, (), party.address), label)
            else:
                pen.down(gap)
                _lines(pen, pen.left, party, label)
            pen.down(0.5)
        deepest = max(deepest, pen.y)
    pen.y = deepest
    pen.down(1.2)


def draw_footer(pen: Pen, sender: PartyText) -> None:
    """Draw the sender's small print at the end of the page."""
    look, rng = pen.look, pen.rng
    bottom = look.height - look.margin * 0.8
    if look.footer == "none":
        return
    if look.footer == "page" or look.is_slip:
        pen.y = bottom
        pen.text(
            (pen.left + pen.right) / 2,
            look.writing.filled(look.words.some("footer", rng), rng),
            "furniture",
            0.75,
            align="centre",
        )
        return
    if look.footer == "line":
        pen.y = bottom
        text = " · ".join((sender.name[0], *sender.address, look.writing.text("phone", rng)))
        pen.text(
            pen.left,
            text,
            "furniture",
            min(0.7, (pen.right - pen.left) / pen.width(text)),
            role="sender line",
        )
        return
    columns: list[list[str | tuple[str, str]]] = [
        [sender.name[0], *sender.address],
        [(k, look.writing.text(k, rng)) for k in ("phone", "mail", "web")],
        [(k, look.writing.text(k, rng)) for k in ("iban", "bic", "taxid")],
    ]
    cell = (pen.right - pen.left) / 3
    for at, column in enumerate(columns):
        pen.y = bottom - 3 * look.size
        for entry in column:
            x = pen.left + at * cell
            if isinstance(entry, str):
                role = "sender name" if entry == sender.name[0] else "sender address"
                pen.text(x, entry, "furniture", 0.7, role=role)
            else:
                caption = pen.label(x, look.words.some(entry[0], rng), 0.7)
                pen.text(caption.right + 3, entry[1], "value", 0.7, captions=(caption,))
            pen.y += look.size * 0.9


def _lines(pen: Pen, x: float, party: PartyText, label: Piece | None) -> None:
    captions = (label,) if label else ()
    for kind, lines in (("name", party.name), ("address", party.address)):
        for line in lines:
            pen.text(
                x,
                line,
                "value",
                captions=captions,
                role=f"{party.role} {kind}",
                bold=kind == "name" and pen.look.label_bold,
            )
            pen.down(0.95)


_ADDRESS = {
    "cs": "Adresa", "da": "Adresse", "de": "Anschrift", "es": "Dirección", "fr": "Adresse", "it": "Indirizzo",
    "nl": "Adres", "pl": "Adres", "pt": "Morada", "sv": "Adress", "tr": "Adres",
}  # fmt: skip
