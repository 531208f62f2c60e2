"""Slides as pages: each shape's text in its frame, in type small enough to fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from docduck.documents.formats.flow.blocks import Block, plain_text
from docduck.documents.formats.flow.fragments import lay_out
from docduck.documents.formats.flow.pages import PageDraft

MAX_SLIDES = 2000

_SIZES = (18.0, 16.0, 14.0, 12.0, 10.0, 8.0, 6.0, 5.0, 4.0)
_INSET = 4.0
_LEAST = 20.0
"""Points of a frame's width, and of the slide that a frame begins on."""


@dataclass(slots=True)
class SlideShape:
    """Blocks and their frame, in points; a frame without height is as high as its text."""

    blocks: list[Block]
    left: float = 0.0
    top: float = 0.0
    width: float = 0.0
    height: float = 0.0


@dataclass(slots=True)
class Slide:
    """A slide's shapes on a page ``width`` × ``height`` points, and the notes that go with it."""

    shapes: list[SlideShape]
    notes: list[Block]
    width: float = 720.0
    height: float = 540.0


def slide_drafts(slides: Iterable[Slide]) -> list[PageDraft]:
    """Return a page for every slide: its shapes by rows, left to right, then its notes below the picture."""
    return [_draft(slide) for slide in islice(slides, MAX_SLIDES)] or [PageDraft()]


def _draft(slide: Slide) -> PageDraft:
    draft = PageDraft(slide.width, slide.height)
    for shape in in_reading_order(slide.shapes):
        left = min(max(shape.left, 0.0), slide.width - _LEAST)
        top = min(max(shape.top, 0.0), slide.height - _LEAST)
        width = min(max(shape.width or slide.width, _LEAST), slide.width - left) - 2 * _INSET
        size = _fitting(shape, width)
        bottom = draft.add_blocks(shape.blocks, left + _INSET, top + _INSET, width, size)
        draft.height = max(draft.height, bottom)
    if any(plain_text([block]) for block in slide.notes):
        top = draft.height + 12.0
        draft.height = draft.add_blocks(slide.notes, 36.0, top, slide.width - 72.0, 10.0) + 12.0
    return draft


def _fitting(shape: SlideShape, width: float) -> float:
    """Return the largest font size in which the shape's text fits its frame."""
    if not shape.height:
        return 10.0
    for size in _SIZES:
        if (
            sum(fragment.gap + fragment.height for fragment in lay_out(shape.blocks, width, size))
            <= shape.height
        ):
            return size
    return _SIZES[-1]


def in_reading_order(shapes: Sequence[SlideShape]) -> list[SlideShape]:
    """Return the shapes with text by rows, each from left to right."""
    rows: list[list[SlideShape]] = []
    for shape in sorted(shapes, key=lambda shape: (shape.top, shape.left)):
        if not plain_text(shape.blocks):
            continue
        first = rows[-1][0] if rows else None
        shared = min(first.top + first.height, shape.top + shape.height) - shape.top if first else 0.0
        if first and shared > 0.5 * min(first.height, shape.height) > 0:
            rows[-1].append(shape)
        else:
            rows.append([shape])
    return [shape for row in rows for shape in sorted(row, key=lambda shape: shape.left)]
