"""Values beside labels, in documents that are mainly running text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docduck.extraction.extractors.prose.text.prose import Prose


def labelled_values(prose: Prose, labels: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield span and label of values in lines "Label: value", or in the cell beside or below the label."""
    by_form = {_form(label): label for label in labels}
    for index in range(min(len(prose.lines), 400)):
        text = prose.line_text(index)
        head, colon, rest = text.partition(":")
        label = by_form.get(_form(head)) if len(head) < 60 else None
        if label is None:
            continue
        line = prose.lines[index]
        if colon and rest.strip():
            start = line.start + len(head) + 1 + (len(rest) - len(rest.lstrip()))
            yield start, line.end, label
        elif not rest.strip() and index + 1 < len(prose.lines):
            below = prose.lines[index + 1]
            if below.row == line.row or (colon and below.row - line.row <= 1):
                yield below.start, below.end, label


def _form(label: str) -> str:
    return "".join(char for char in label.casefold() if char.isalnum())
