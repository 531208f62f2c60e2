"""Judges: panels, authors and signers of decisions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from docduck.extraction.domains.legal_filings.lexicon import any_of
from docduck.extraction.extractors.prose.text.prose import Prose, ProseFinding
from docduck.extraction.extractors.prose.values import names

_HEAD, _TAIL = 9000, 2500
"""Characters at the beginning and at the end that are searched."""
_WORD = r"(?:[A-ZÀ-Þ][\w’'-]*[\w’']|[A-Z]\.)"
_NAME = rf"{_WORD}(?: (?:(?:de|del|von|van|la) )?{_WORD}){{1,3}}(?:,? (?:Jr|Sr|II|III|IV)\b\.?)?"
_AUTHOR = re.compile(
    r"(?:^|\n)\s*(?:By\s+the\s+Court,\s+|PER\s+)?"
    r"(?P<name>[A-Z][A-Za-zÀ-ÿ.’' -]{3,40}?),\s+(?:[ACP]\.\s?)*J\.\s*:?\s*(?=\n|$)"
)
_DELIVERED = re.compile(
    rf"\b(?i:(?:chief |presiding |mr\.? |mrs\.? )*(?:justice|judge))\s+(?P<name>{_WORD}(?: {_WORD}){{0,3}})"
    r"\s+(?i:delivered|announced|wrote|authored)\b"
)
_AFTER_BEFORE = re.compile(
    r"\b(?i:before)\s*:\s*\n\s*"
    r"(?P<name>(?i:the hon\w*|mr|mrs|ms|lord|lady|sir|dame|his|her|judge|justice)\.?\s+[A-Z][^\n]{3,60})"
)


@cache
def _title() -> str:
    rank = rf"(?:{any_of('judge_rank')}\s+)*"
    return rf"{rank}(?:(?i:Judges?|Justices?|Chancellor|Magistrate)|(?:[ACP]\.\s?)*JJ?\.)"


@cache
def _panel() -> re.Pattern[str]:
    end = r"(?!\w)(?!,?\s+(?:(?:and|[ACP]\.)\s+)?[A-Z][A-Za-z’'-]+(?:,|\s+and\b))"
    return re.compile(
        rf"\b(?:Before|BEFORE|Present|PRESENT|Coram|CORAM)\s*:?\s+(?P<names>[A-Z][^;:()\[\]\"“”]{{3,200}}?,?\s+(?:{_title()})){end}"
    )


@cache
def _titles() -> re.Pattern[str]:
    return re.compile(
        rf",?\s+(?:{_title()})(?=,|\s|$)|^(?:(?:{any_of('judge_rank')}|Judges?|Justices?)\s+)+", re.IGNORECASE
    )


@cache
def _titled() -> re.Pattern[str]:
    return re.compile(rf"(?P<name>{_NAME}),\s+(?:{_title()})(?!\w)")


@cache
def _presiding() -> re.Pattern[str]:
    """Return the pattern of a surname with its title on a line of its own: "BOCK, Presiding Judge."."""
    title = rf"(?:{any_of('judge_rank')}\s+)*(?:Judge|Justice)"
    return re.compile(rf"(?:^|\n)\s*(?P<name>[A-Z][A-Z’'-]+,\s+{title})\.?\s*(?=\n|$)")


@cache
def _honoured() -> re.Pattern[str]:
    return re.compile(rf"(?:Hon(?:orable|\.)|Judge|JUDGE|Justice|Richter(?:in)?)\s+(?P<name>{_NAME})")


@cache
def _title_line() -> re.Pattern[str]:
    rank = any_of("judge_rank")
    return re.compile(
        rf"^(?:(?i:(?:{rank}\s+)*(?:Judges?|Justices?|Chancellor|Magistrate))\b.{{0,40}}"
        rf"|(?:[ACP]\.\s?)*J\.:?|U\.S\.[DM]\.J\.)$"
    )


def find_judges(prose: Prose) -> Iterator[ProseFinding]:
    """Yield judges: panels first, then authors and full names beside titles."""
    text, size = prose.text, len(prose)
    head, tail = min(size, _HEAD), max(0, size - _TAIL)
    for match in _panel().finditer(text, 0, head):
        value = _titles().sub("", " ".join(match["names"].split())).strip(" ,:")
        words = [word for word in value.split() if word not in ("and", "&")]
        if words[:2] in (["THE", "COURT"], ["the", "court"], ["the", "Court"]):
            continue
        if words and sum(word[:1].isupper() for word in words) >= 0.7 * len(words) and len(words) < 16:
            yield ProseFinding(value, match.start("names"), match.end("names"), 0.78)
    for pattern, weight in ((_DELIVERED, 0.78), (_AFTER_BEFORE, 0.75), (_presiding(), 0.7)):
        for match in pattern.finditer(text, 0, head):
            yield ProseFinding(match["name"].strip(), match.start("name"), match.end("name"), weight)
    for match in _AUTHOR.finditer(text, 0, head):
        name = match["name"].strip()
        yield ProseFinding(name, match.start("name"), match.end("name"), 0.74 if " " in name else 0.55)
    for start, end, weight in ((0, head, 0.68), (tail, size, 0.66)):
        for match in _titled().finditer(text, start, end):
            name = " ".join(match["name"].split())
            if names.is_person(name):
                yield ProseFinding(name, match.start("name"), match.end("name"), weight)
    yield from _over_titles(prose, tail)
    for match in _honoured().finditer(text, 0, head):
        name = " ".join(match["name"].split())
        if names.is_person(name):
            yield ProseFinding(name, match.start("name"), match.end("name"), 0.6)
    for match in _AUTHOR.finditer(text, tail, size):
        yield ProseFinding(match["name"].strip(), match.start("name"), match.end("name"), 0.5)


def _over_titles(prose: Prose, tail: int) -> Iterator[ProseFinding]:
    """Yield names on the line above a title, as in signatures."""
    first = prose.line_index(tail)
    for index in (*range(1, min(len(prose.lines), 90)), *range(max(first, 90), len(prose.lines))):
        if _title_line().match(prose.line_text(index).strip()):
            above = names.tidy(prose.line_text(index - 1).replace("/s/", ""))
            if 2 <= len(above.split()) <= 4 and above[:1].isupper() and names.is_person(above):
                line = prose.lines[index - 1]
                yield ProseFinding(above, line.start, line.end, 0.72)
