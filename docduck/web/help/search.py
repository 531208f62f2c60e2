"""Search over the headings and texts of all pages of help."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docduck.web.help.pages import FOLDERS
from docduck.web.help.rendering import HelpPage, Section, help_page

MOST_RESULTS = 30
_AROUND = 90


@dataclass(frozen=True, slots=True)
class Found:
    """A section with all words; ``excerpt`` are parts of its text and whether each is one of the words."""

    page: HelpPage
    section: Section
    excerpt: tuple[tuple[str, bool], ...]


def search(text: str) -> list[Found]:
    """Return the sections with all words of ``text``, those with more of them in their headings first."""
    words = text.casefold().split()
    if not words:
        return []
    ranked = sorted(_ranked(words), key=lambda entry: -entry[0])
    return [hit for _, hit in ranked[:MOST_RESULTS]]


def _ranked(words: list[str]) -> Iterator[tuple[int, Found]]:
    for name in FOLDERS:
        page = help_page(name)
        for section in page.sections:
            heading, text = f"{page.title} {section.title}".casefold(), section.text.casefold()
            if all(word in heading or word in text for word in words):
                own = sum(word in section.title.casefold() for word in words)
                rank = 100 * own + 10 * sum(word in heading for word in words)
                yield rank, Found(page, section, _excerpt(section.text, words))


def _excerpt(text: str, words: list[str]) -> tuple[tuple[str, bool], ...]:
    """Return the text around the first of the words, in parts."""
    pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    first = pattern.search(text)
    begin = max(0, first.start() - _AROUND) if first else 0
    excerpt = " ".join(text[begin : begin + 3 * _AROUND].split())
    excerpt = f"{'…' if begin else ''}{excerpt}{'…' if begin + 3 * _AROUND < len(text) else ''}"
    parts, end = [], 0
    for match in pattern.finditer(excerpt):
        parts += [(excerpt[end : match.start()], False), (match[0], True)]
        end = match.end()
    return (*parts, (excerpt[end:], False))
