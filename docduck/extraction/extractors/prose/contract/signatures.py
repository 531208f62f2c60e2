"""Signature blocks: who signs, and for whom."""

from __future__ import annotations

import re
from functools import cache, cached_property

from docduck.extraction.extractors.prose.lexicon import any_of
from docduck.extraction.extractors.prose.text.prose import Prose, ProseFinding
from docduck.extraction.extractors.prose.values import names

_SIGNATURE_AREA = 9000
"""Characters at the document's end that are searched, unless a closing formula marks the signatures."""
_BEFORE_CLOSING = 500
"""Characters before a closing formula that may hold a signature."""
_AFTER_CLOSING = 4
"""Lines after a closing formula that may hold the writer's name."""
_PERSON, _PARTY = 0.75, 0.52
"""Weight of a person who signs, and of whom somebody signs for."""
_SIGNED = re.compile(r"/s/\s*(?P<name>[^\n_/|]{3,50})")
_BY = re.compile(r"^(?:By|BY|Per|Durch|Par|Por|Da)\s*:?(?:\s|$|_)")
_NAMED = re.compile(r"^(?:Print(?:ed)?\s+)?Name\s*:\s*(?P<name>[A-Z][^\n:_]{3,50})", re.IGNORECASE)


@cache
def _closing() -> re.Pattern[str]:
    return re.compile(any_of("closing"), re.IGNORECASE)


@cache
def _not_signed_for() -> re.Pattern[str]:
    return re.compile(any_of("not_signed_for"), re.IGNORECASE)


class Signatures:
    """The signature blocks of one document."""

    def __init__(self, prose: Prose) -> None:
        self.prose = prose

    @cached_property
    def start(self) -> int:
        """The start of the signatures: the last closing formula, else near the end."""
        size = len(self.prose)
        closings = [
            m.start()
            for m in _closing().finditer(self.prose.text, max(size // 3, size - 3 * _SIGNATURE_AREA))
        ]
        first = next((at for at in closings if size - at < 3 * _SIGNATURE_AREA), None)
        return (
            max(first - _BEFORE_CLOSING, 0) if first is not None else max(size - _SIGNATURE_AREA, size // 2)
        )

    @cached_property
    def _lines(self) -> list[tuple[int, str]]:
        first = self.prose.line_index(self.start)
        last = min(len(self.prose.lines), first + 160)
        return [(index, self.prose.line_text(index).strip()) for index in range(first, last)]

    @cached_property
    def people(self) -> list[ProseFinding]:
        """The persons who sign, in order."""
        signers: list[ProseFinding] = []
        closing_line = -9
        for index, text in self._lines:
            closing_line = index if _closing().search(text) else closing_line
            if (
                index - closing_line <= _AFTER_CLOSING
                and index != closing_line
                and names.is_person(text)
                and not signers
            ):
                line = self.prose.lines[index]
                signers.append(ProseFinding(names.tidy(text), line.start, line.end, _PERSON))
            match = _SIGNED.search(text) or _NAMED.match(text)
            if match is None:
                continue
            name = names.tidy(match["name"].strip(" _"))
            if not names.is_person(name) or any(names.is_same_name(name, signer.value) for signer in signers):
                continue
            start = self.prose.lines[index].start + self.prose.line_text(index).find(match["name"])
            signers.append(ProseFinding(name, start, start + len(match["name"].rstrip()), _PERSON))
        return signers

    @cached_property
    def parties(self) -> list[ProseFinding]:
        """The organisations signed for, and the persons who sign for themselves."""
        signers: list[ProseFinding] = []
        lines = self._lines
        for position, (index, text) in enumerate(lines):
            signer = None
            if _BY.match(text):
                signer = self._signed_by(lines, position)
            elif (match := _SIGNED.match(text)) is not None:
                signer = self._individual(lines, position, match)
            elif names.is_company(text):
                following = " ".join(t for _, t in lines[position + 1 : position + 4])
                is_signed = re.search(r"\bBy\b|/s/|Signature", following)
                signer = self._entity(index, text) if is_signed else None
            if signer and not any(names.is_same_name(signer.value, other.value) for other in signers):
                signers.append(signer)
        return signers

    def _signed_by(self, lines: list[tuple[int, str]], position: int) -> ProseFinding | None:
        """Return whom a "By:" signs for: the organisation above it, or the person if only a role is there."""
        for back in range(position - 1, max(position - 5, -1), -1):
            entity = self._entity(*lines[back])
            if entity is not None:
                return entity
            above = lines[back][1].strip("“”\"' :()")
            if above and names.is_role(above):
                for below in range(position, min(position + 3, len(lines))):
                    match = _SIGNED.search(lines[below][1]) or _NAMED.match(lines[below][1])
                    if match is not None and names.is_person(names.tidy(match["name"])):
                        start = self.prose.lines[lines[below][0]].start + match.start("name")
                        name = names.tidy(match["name"])
                        return ProseFinding(name, start, start + len(match["name"].rstrip()), _PARTY)
                return None
        return None

    def _entity(self, index: int, text: str) -> ProseFinding | None:
        if not text or _not_signed_for().search(text) or not names.is_company(text):
            return None
        match = names.match_name(text, 0)
        if match is None or names.is_role(match[0]) or not names.is_company(match[0]):
            return None
        if len(text) - match.end() > 30 or not len(match[0]) > 3 or len(match[0].split()) > 9:
            return None
        start = self.prose.lines[index].start
        return ProseFinding(names.tidy(match[0]), start, start + match.end(), _PARTY)

    def _individual(
        self, lines: list[tuple[int, str]], position: int, match: re.Match[str]
    ) -> ProseFinding | None:
        """Return a signer without "By:" before the name and a title after it."""
        before = lines[position - 1][1] if position else ""
        after = [text for _, text in lines[position + 1 : position + 4]]
        if _BY.match(before) or any(re.match(r"(?:Its|Title)\b", text, re.IGNORECASE) for text in after):
            return None
        name = names.tidy(match["name"].strip(" _"))
        if not names.is_person(name):
            return None
        index = lines[position][0]
        for below in (position + 1, position - 1):
            if (
                0 <= below < len(lines)
                and names.is_same_name(lines[below][1], name)
                and names.is_person(lines[below][1])
            ):
                index, name = lines[below][0], names.tidy(lines[below][1])
        start = self.prose.lines[index].start + max(self.prose.line_text(index).find(name), 0)
        return ProseFinding(name, start, start + len(name), _PARTY)
