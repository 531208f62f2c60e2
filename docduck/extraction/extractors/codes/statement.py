"""What a code or a zone of a document states about one element."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from docduck.extraction.result import Location


@dataclass(frozen=True, slots=True)
class Statement:
    """A value of an element of ``lexicon/elements.yaml``, where it was read.

    A text is answered as the page prints it, with ``confidence``. ``unprinted`` is the confidence if the page
    does not print it, 0 for no answer then. ``may_go_on``: the printed text may be longer. ``spellings`` are
    forms of the value that the page may print instead. ``is_printed``: ``place`` is the printed value.
    """

    element: str
    value: str | float | date
    place: Location
    confidence: float
    unprinted: float
    may_go_on: bool = False
    spellings: tuple[str, ...] = ()
    is_printed: bool = False
