"""Looks: the choices that make one sender's documents alike, drawn independently of each other."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tools.looks.sheet import Type
from tools.looks.values import Writing, make_writing
from tools.looks.vocabulary import LANGUAGES, Vocabulary, vocabulary

_TYPES = (
    ("Helvetica", "Helvetica-Bold"), ("Helvetica", "Helvetica-Bold"), ("Times-Roman", "Times-Bold"),
    ("Courier", "Courier-Bold"), ("Helvetica", "Helvetica"), ("Times-Roman", "Times-Roman"),
)  # fmt: skip
_SIZES = ((595.0, 842.0), (595.0, 842.0), (612.0, 792.0), (842.0, 595.0), (230.0, 700.0))
ARRANGEMENTS = (
    "rows", "rows", "inline", "inline", "above", "above", "below", "boxes", "boxes", "ruled", "leaders",
    "bar", "bar", "line", "columns", "columns", "mirrored", "grid", "sentences",
)  # fmt: skip


@dataclass(frozen=True)
class Look:
    """One look. ``seed`` is all that it was made from.

    ``known`` is how many labels are words of the vocabulary; ``second`` is the language of a translation
    behind or below each label, if it has one; ``arrangements`` are how facts are set, block by block; values
    are ``offset`` sizes below their label's line; with ``beside``, facts are beside the addressee; a share of
    ``empty`` has no value.
    """

    seed: int
    width: float
    height: float
    type: Type
    size: float
    margin: float
    leading: float
    words: Vocabulary
    second: Vocabulary | None
    writing: Writing
    known: float
    colon: str
    label_case: str
    label_bold: bool
    label_size: float
    numbered: bool
    label_align: str
    empty: float
    offset: float
    beside: bool
    arrangements: tuple[str, ...]
    letterhead: str
    addressee: str
    party_style: str
    footer: str
    table: str
    ruled: str
    cell_space: float
    title: str
    ticks: str
    scan: bool

    @property
    def is_slip(self) -> bool:
        """Whether the page is narrow, as receipts are."""
        return self.width < 300

    def label(self, text: str) -> str:
        """Return a label's text as this look prints it."""
        text = (
            text.upper()
            if self.label_case == "upper"
            else text.lower()
            if self.label_case == "lower"
            else text
        )
        return text.rstrip(".:") + self.colon if self.colon and not text.endswith(":") else text


def make_look(seed: int) -> Look:
    """Return the look of ``seed``."""
    rng = random.Random(f"look {seed}")
    language = rng.choice(LANGUAGES)
    words = vocabulary(language)
    width, height = rng.choice(_SIZES)
    slip = width < 300
    regular, bold = rng.choice(_TYPES)
    kind = Type(regular, bold, rng.uniform(0.85, 1.12), rng.uniform(0.72, 0.95), rng.uniform(0.18, 0.28))
    size = rng.uniform(6.5, 9) if slip else rng.uniform(7.5, 11.5)
    return Look(
        seed=seed,
        width=width,
        height=height,
        type=kind,
        size=size,
        margin=rng.uniform(10, 16) if slip else rng.uniform(28, 72),
        leading=rng.uniform(1.15, 1.75),
        words=words,
        second=vocabulary(rng.choice(LANGUAGES)) if rng.random() < 0.1 else None,
        writing=make_writing(words, rng),
        known=rng.choice((1.0, 1.0, 0.8, 0.6, 0.3)),
        colon=rng.choice((":", ":", ":", "", "", " :", ".")),
        label_case=rng.choice(("as is", "as is", "as is", "upper", "lower")),
        label_bold=rng.random() < 0.3,
        label_size=rng.choice((1.0, 1.0, 1.0, 0.85, 0.75, 0.65)),
        numbered=rng.random() < 0.12,
        empty=rng.choice((0.02, 0.02, 0.1, 0.35)),
        label_align=rng.choice(("left", "left", "left", "right")),
        offset=rng.choice((0.0, 0.0, 0.0, 0.15, -0.15, 0.3)),
        beside=rng.random() < 0.4,
        arrangements=tuple(rng.sample(ARRANGEMENTS, rng.randint(2, 6))),
        letterhead=rng.choice(("left", "centre", "right", "split", "name only", "line", "none", "small")),
        addressee=rng.choice(("window", "window", "labelled", "right", "with number", "none")),
        party_style=rng.choice(("block", "block", "facts", "side by side", "side by side", "beside", "box")),
        footer=rng.choice(("columns", "line", "page", "none")),
        table=rng.choice(("full", "full", "full", "short", "headless", "pair", "wide", "none")),
        ruled=rng.choice(("none", "none", "rows", "head", "all", "box")),
        cell_space=rng.uniform(1.3, 2.1),
        title=rng.choice(("large", "large", "middle", "spaced", "none", "with number", "right")),
        ticks=rng.choice(("none", "none", "box", "bracket", "cross", "circle", "drawn", "table")),
        scan=rng.random() < 0.2,
    )
