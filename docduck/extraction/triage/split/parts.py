"""The options of splitting and its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from docduck.documents.page_ranges import ranges_of
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.model_usage import ModelUsage
from docduck.extraction.options import ReadingLocale
from docduck.fields import Field

SplitMode = Literal["everyXPages", "pageRanges", "ai", "partitionKey"]
KeySource = Literal["parserField", "custom"]


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """How to split; each mode needs the option of its name.

    ``partition_key`` is a dotted path to one of ``fields`` (``Invoice Number``, ``Line Items.Account``), or
    a description in words when its source is ``custom``. ``instructions`` are for a language model in mode
    ``ai``; without one the pages themselves decide. ``no_model`` is why there is none that should help.
    """

    mode: SplitMode = "ai"
    every_x_pages: int | None = None
    page_ranges: str = ""
    instructions: str = ""
    partition_key: str = ""
    partition_key_source: KeySource = "parserField"
    fields: Sequence[Field] = ()
    locale: ReadingLocale = field(default_factory=ReadingLocale)
    model: ModelOptions | None = None
    no_model: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One document of a file: its pages in order, the value of the partition key, and why it begins there.

    ``confidence`` is the probability, 0–1, that it is one whole document.
    """

    pages: tuple[int, ...]
    reason: str
    confidence: float = 1.0
    key: str | None = None

    def plus(self, page: int, sure: float) -> Part:
        """Return the part with its next page, which belongs to it with this probability."""
        return replace(self, pages=(*self.pages, page), confidence=min(self.confidence, sure))

    @property
    def page_ranges(self) -> str:
        """Its pages as a range: ``4-6``."""
        return ",".join(ranges_of(self.pages))


@dataclass(frozen=True, slots=True)
class Split:
    """The parts in order, and the pages that belong to none."""

    parts: tuple[Part, ...]
    unassigned: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: ModelUsage | None = None
