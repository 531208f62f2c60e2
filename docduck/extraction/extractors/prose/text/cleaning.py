"""Cleaning of page text: removes markup, running headers and page numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from docduck.documents.document import Document, Line, Page, Word

_MARKDOWN_TYPES = frozenset({"text/markdown", "text/plain"})
_LINK_END = re.compile(r"\]\([^)\s]*\)?")
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:page\s*|seite\s*|-\s*)?(?!(?:19|20)\d\d\b)\d{1,4}(?:\s*(?:of|von|/)\s*\d{1,4})?(?:\s*-)?",
    re.IGNORECASE,
)
_EDGE_LINES = 3
"""Lines at the top and bottom of a page that are searched for running headers."""
_SHARE = 0.4
"""Minimum share of pages that have a running header."""

Run = tuple[Sequence[Word], Sequence[str]]
"""Words of one line or table cell, and the displayed text of each."""


def is_markdown(document: Document) -> bool:
    """Return whether the document's text may contain Markdown."""
    return document.content_type in _MARKDOWN_TYPES


def without_markdown(text: str) -> str:
    """Return a word without Markdown's emphasis, link and escape characters; "" if nothing else is left."""
    if text.isalnum():
        return text
    if "](" in text:
        text = _LINK_END.sub("", text)
    if text.startswith(("[", "![")) and "]" not in text:
        text = text.lstrip("![")
    text = text.replace("\\", "") if "\\" in text else text
    text = text.replace("**", "") if "**" in text else text
    text = text.strip("`")
    if text[:1] in "*_" or text[-1:] in "*_":
        bare = text.strip("*_")
        text = bare if text[:1] in "*_" or bare.endswith((",", ".", ":")) else text
    return "" if not text.strip("#-=|_~") and text != "-" else text


def runs(line: Line, markdown: bool) -> Iterator[Run]:
    """Yield the line's words; a row of a Markdown table yields one run per cell."""
    if not markdown:
        yield line.words, [word.text for word in line.words]
        return
    words: list[Word] = []
    texts: list[str] = []
    for word in line.words:
        text = word.text
        if "|" in text and not text.strip("|-:"):
            if words:
                yield words, texts
                words, texts = [], []
            continue
        bare = without_markdown(text)
        if bare:
            words.append(word)
            texts.append(bare)
    if words:
        yield words, texts


def running_headers(pages: Sequence[Page]) -> frozenset[str]:
    """Return the normal forms of lines repeated at the top or bottom of pages."""
    if len(pages) < 3:
        return frozenset()
    counts: Counter[str] = Counter()
    for page in pages:
        edges = [*page.lines[:_EDGE_LINES], *page.lines[-_EDGE_LINES:]]
        counts.update({header_form(line.text) for line in edges})
    least = max(3, _SHARE * len(pages))
    return frozenset(form for form, count in counts.items() if count >= least and len(form) > 1)


def header_form(text: str) -> str:
    """Return a line's text with each number as ``#``."""
    return _DIGITS.sub("#", text.casefold())


def is_page_number(text: str) -> bool:
    """Return whether a line is a page number."""
    return len(text) < 20 and _PAGE_NUMBER.fullmatch(text.strip()) is not None
