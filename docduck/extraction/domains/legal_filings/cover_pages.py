"""Cover pages of filings: values above a caption in parentheses, the form's name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docduck.extraction.extractors.prose.text.prose import Prose, ProseFinding
from docduck.extraction.extractors.prose.values import names

_COVER_LINES = 170
_FORM = re.compile(
    r"^(?:FORM|Form|form)\s+(?P<code>(?:[A-Z]{1,4}[- ])?\d{1,3}[A-Z]{0,2}(?:-[A-Z0-9]{1,3})?(?:\s?/\s?A)?"
    r"|[A-Z]{1,2}-\d{1,2}[A-Z]?(?:/A)?|[A-Z]{2,4}-[A-Z0-9]{1,4}(?:/A)?)"
    r"(?:\s*\(.*|\s*[-–—:]\s.*|\s*,?\s*(?:Current|Annual|Quarterly).*)?$"
)
_SCHEDULE = re.compile(r"^SCHEDULE\s+(?P<code>1[34][A-Z](?:-\d)?(?:/A)?)\b", re.IGNORECASE)
_AMENDED = re.compile(r"\(?Amendment\s+No", re.IGNORECASE)
_PROXIES = (
    ("DEF 14A", re.compile(r"[☒☑x⌧þ]\]?\W{0,6}definitive proxy statement", re.IGNORECASE)),
    ("PRE 14A", re.compile(r"[☒☑x⌧þ]\]?\W{0,6}preliminary proxy statement", re.IGNORECASE)),
)
_SIGNED_BY = re.compile(r"duly caused|thereunto|on its behalf", re.IGNORECASE)
_BEFORE_CAPTION = 60
_SIGNATURE_AREA = 400_000
"""Characters at the document's end that hold a report's signature; exhibits may follow."""
_NOT_VALUE = re.compile(
    r"^[\W_]*$|^\(|^n/?a$|not applicable|^none$|_{3,}|:\s|:$|^<|\b(?:date of|pursuant|commission|report)\b",
    re.IGNORECASE,
)


def above_captions(prose: Prose, captions: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of lines above one of ``captions``, an explanation such as "(Zip Code)"."""
    limit = min(len(prose.lines), _COVER_LINES)
    end = prose.lines[limit - 1].end if limit else 0
    for caption in captions:
        at = prose.low.find(caption, 0, end)
        while at >= 0:
            opened = prose.text.rfind("(", max(0, at - _BEFORE_CAPTION), at)
            if opened >= 0 and ")" not in prose.text[opened:at]:
                yield from _above(prose, prose.line_index(opened))
            at = prose.low.find(caption, at + len(caption), end)


def _above(prose: Prose, index: int) -> Iterator[tuple[int, int]]:
    """Yield the nearest line above ``index`` in its column; a single word before it is its beginning."""
    line = prose.lines[index]
    nearest: tuple[float, int] | None = None
    row: int | None = None
    for above in range(index - 1, max(index - 14, -1), -1):
        other = prose.lines[above]
        if other.row == line.row or _NOT_VALUE.search(prose.line_text(above).strip()):
            continue
        if row is not None and other.row != row:
            break
        row = other.row
        middle = abs((other.left + other.right) - (line.left + line.right)) / 2
        distance = min(middle, abs(other.left - line.left))
        if nearest is None or distance < nearest[0]:
            nearest = (distance, above)
    if nearest is None:
        return
    value = nearest[1]
    start = prose.lines[value].start
    if (
        value
        and len(prose.lines[value - 1].words) == 1
        and abs(prose.lines[value].left - prose.lines[value - 1].left) < 0.02
    ):
        word = prose.line_text(value - 1)
        own = prose.line_text(value)
        if word[:1].isupper() and word.isalpha() and word.isupper() == own.isupper():
            start = prose.lines[value - 1].start
    yield start, prose.lines[value].end


def registrants(prose: Prose, captions: Sequence[str]) -> Iterator[ProseFinding]:
    """Yield the registrant of a report: the name above its caption, else the name in the signature."""
    for start, end in above_captions(prose, captions):
        name = names.tidy(prose.flat[start:end])
        if 2 < len(name) < 120 and any(c.isalpha() for c in name):
            yield ProseFinding(name, start, end, 0.9)
    for match in _SIGNED_BY.finditer(prose.text, max(0, len(prose) * 2 // 5, len(prose) - _SIGNATURE_AREA)):
        first = prose.line_index(match.end()) + 1
        for index in range(first, min(first + 9, len(prose.lines))):
            text = prose.line_text(index).strip()
            named = names.match_name(text, 0)
            if (
                named is not None
                and (names.is_company(text) or text.isupper())
                and ":" not in text
                and len(text) > 4
            ):
                line = prose.lines[index]
                yield ProseFinding(names.tidy(named[0]), line.start, line.end, 0.75)
                return


def form_types(prose: Prose) -> Iterator[ProseFinding]:
    """Yield the form's name from a line of its own ("FORM 10-K/A")."""
    for index in range(min(len(prose.lines), _COVER_LINES)):
        text = prose.line_text(index).strip()
        match = _FORM.match(text)
        if match is None:
            match = (
                _FORM.match(f"{text} {prose.line_text(index + 1).strip()}")
                if text in ("FORM", "Form") and index + 1 < len(prose.lines)
                else None
            )
        line = prose.lines[index]
        if match is not None:
            code = match["code"].replace(" /", "/").replace("/ ", "/")
            following = " ".join(prose.line_text(i) for i in range(index, min(index + 4, len(prose.lines))))
            if _AMENDED.search(following) and not code.endswith("/A"):
                code += "/A"
            yield ProseFinding(code, line.start, line.end, 0.93)
            return
        match = _SCHEDULE.match(text)
        if match is not None:
            for code, checked in _PROXIES:
                if match["code"].upper().startswith("14A") and checked.search(prose.flat[:6000]):
                    yield ProseFinding(code, line.start, line.end, 0.85)
                    return
            yield ProseFinding(
                f"SC {match['code'].upper()}" if match["code"][:2] == "13" else "DEF 14A",
                line.start,
                line.end,
                0.6,
            )
            return
