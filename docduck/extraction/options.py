"""The options of an extraction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from docduck.extraction.values.dates import DateOrder

if TYPE_CHECKING:
    from docduck.extraction.learned_layout import LearnedLayout
    from docduck.extraction.model_options import ModelOptions

Mode = Literal["fast", "balanced", "accurate"]
TableMode = Literal["disabled", "auto", "enabled"]
Ask = Literal["unsure", "always"]
"""What a language model is asked: about what is unsure or was not found without it, or about everything."""
OCR: Mapping[Mode, Literal["fast", "full"]] = {"fast": "fast", "balanced": "full", "accurate": "full"}
"""How thoroughly each mode reads pages without text (``ReadOptions.ocr``)."""


@dataclass(frozen=True, slots=True)
class ReadingLocale:
    """How a document writes numbers and dates; ``auto`` is decided from the document itself.

    ``language`` is ISO 639-1 (``de``); ``decimal_separator`` is ``.`` or ``,``. With ``year_first``, the
    order of day and month in dates that end with their year is decided from the document as well.
    ``time_zone``, such as ``Europe/Berlin``, turns moments into dates; ``auto`` is the moment's own.
    """

    language: str = "auto"
    decimal_separator: Literal["auto", ".", ","] = "auto"
    date_order: DateOrder = "auto"
    time_zone: str = "auto"


@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """Options of one extraction.

    ``tables`` is the parser's ``advancedTableExtraction``: ``disabled`` leaves tables empty, ``auto``
    reads tables whose header is found, or that alone fit the columns' types; ``enabled`` takes the one
    that fits best.
    ``model`` is the language model, ``ask`` what it is asked. ``no_model`` says why there is none where one
    should be. ``learned_layouts`` come from documents that people corrected and approved, the newest first.
    ``markdown``: the extraction holds the document as markdown; otherwise an empty text.
    """

    mode: Mode = "balanced"
    tables: TableMode = "auto"
    locale: ReadingLocale = field(default_factory=ReadingLocale)
    learned_layouts: tuple[LearnedLayout, ...] = ()
    model: ModelOptions | None = None
    ask: Ask = "unsure"
    no_model: str = ""
    markdown: bool = True
