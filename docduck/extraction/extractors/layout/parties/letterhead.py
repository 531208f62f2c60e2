"""The sender's name, by votes from the places where senders print it.

These are the letterhead at the top, the return line over an address window, the footer, the mail or web
domain, and a legal form. A name printed in several of these places wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from docduck.extraction.extractors.layout.candidates.names import (
    SEPARATORS,
    bare_name,
    full_name,
    has_legal_form,
    is_name_like,
    without_label,
)
from docduck.extraction.extractors.layout.parties.text_blocks import TextBlock
from docduck.extraction.extractors.layout.parties.titles import is_title
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageView, Segment, Token, text_of
from docduck.extraction.reading import PageReading, reading_of
from docduck.extraction.values.addresses import find_town, is_company_note, is_street
from docduck.extraction.values.contacts import MAIL, WEB, find_phones

_DOTS = re.compile(r"[·•|∙▪]")
_TOP = 0.27
"""Letterheads are within this share of the first page's height, from the top."""
_FOOTER = 0.8
_MAX_LINES = 6
"""Maximum number of lines of an address without a postal code."""
_HOSTS = 200
"""Maximum number of hosts that names are compared with."""
_REGISTERED = 0.25
"""Bonus for a registration number in brackets after a name."""
_WINDOW_TOP, _WINDOW_BOTTOM = 0.06, 0.45
"""Shares of the page's height between which the address of the recipient begins."""
_RECIPIENT = 0.3
"""What the recipient's address takes from a name's score: a letterhead wins without a legal form."""
_APART = 1.0
"""Gap, in line heights, between the letterhead and the address of the recipient."""
SLIP = 0.62
"""Width-to-height ratio up to which a page is a slip, such as a receipt, rather than a letter."""
_READ, _LIKELY = 0.55, 0.5
"""Vote for the name in a line that the page's reading takes for the sender's, and the least probability."""
_LABEL, _SENDER = 0.9, 0.05
"""Probability from which a segment is a label, whatever its words are, and from which it may be a sender."""
_LARGE = 1.25
"""Height, in line heights, from which a name is set off as a letterhead."""


class NameVotes:
    """Scores 0–1 of the possible names of the sender."""

    def __init__(self, excluded: Iterable[str], hosts: str) -> None:
        self.scores: dict[str, float] = {}
        self.tokens: dict[str, Sequence[Token]] = {}
        self._best: dict[str, float] = {}
        self._excluded = frozenset(excluded)
        self._hosts = hosts

    def add(self, tokens: Sequence[Token], score: float) -> None:
        """Add a vote. Repetition, a legal form and the mail domain raise the score."""
        labelled = without_label(tokens)
        if labelled and labelled[-1].key in word_set("honorifics"):
            return
        tokens = bare_name(labelled)
        registered = len(tokens) < len(labelled)
        text = text_of(tokens).strip(" ,:;|·•-–")
        name = key(text)
        if (
            len(name) < 3
            or name in self._excluded
            or not (is_name_like(text) or (registered and text.isupper()))
        ):
            return
        if registered:
            score += _REGISTERED
        if has_legal_form(text):
            score += 0.15
        words = [key(w) for w in re.split(r"[\s,&.\-]+", text)]
        if any(len(w) > 3 and w in self._hosts for w in words):
            score += 0.15
        if name in self.scores:
            self.scores[name] = max(self._best[name], score) + 0.1
            self._best[name] = max(self._best[name], score)
        else:
            self.scores[name] = self._best[name] = score
            self.tokens[name] = tokens

    def winner(
        self, prefer: Callable[[str], float] = lambda text: 0.0
    ) -> tuple[Sequence[Token], float] | None:
        """Return the name with the highest score, and the score."""
        if not self.scores:
            return None
        best = max(self.scores, key=lambda n: self.scores[n] + prefer(text_of(self.tokens[n])))
        whole = [
            n
            for n, score in self.scores.items()
            if best in n
            and score >= _READ
            and has_legal_form(text_of(self.tokens[n]))
            and not _DOTS.search(text_of(self.tokens[n]))
        ]
        return self.tokens[max(whole, key=len, default=best)], min(self.scores[best], 0.95)


def mail_and_web_hosts(pages: Iterable[PageView]) -> str:
    """Return the hosts of all mail and web addresses in normal form, joined by spaces."""
    text = " ".join(s.text for page in pages for s in page.segments if "@" in s.text or "." in s.text)
    hosts = [match.split("@")[1] for match in MAIL.findall(text)]
    hosts += [match.group(0) for match in WEB.finditer(text)]
    return " ".join(list(dict.fromkeys(key(host) for host in hosts))[:_HOSTS])


def collect_votes(
    votes: NameVotes, page: PageView, blocks: Iterable[TextBlock], is_label: Callable[[Segment], bool]
) -> None:
    """Add the votes of a first page and of all address blocks."""
    blocks, reading = list(blocks), reading_of(page)
    recipient = recipient_block(page, blocks, is_label)
    theirs = {id(segment) for segment in recipient.segments} if recipient is not None else set()
    for segment, name in _return_lines(page):
        votes.add(segment.slice(0, len(name)), 0.6)
    for segment, name in _sender_lines(page):
        votes.add(segment.slice(0, len(name)), _READ)
    top = [s for s in page.segments if s.middle < _TOP * page.height][:14]
    order = 0
    for stack in _stacks(top, page.line_height):
        addressed = any(find_town(s.text) or is_street(s.text) for s in stack[1:])
        named = False
        for at, segment in enumerate(stack):
            order += 1
            if (
                is_label(segment)
                or _is_surely_label(segment, reading)
                or is_title(segment.text)
                or find_town(segment.text)
            ):
                continue
            size = min(segment.height / page.line_height - 1.0, 1.5)
            score = 0.38 - 0.02 * order + 0.14 * size
            if id(segment) in theirs:
                score -= _RECIPIENT
            elif addressed:
                score += -0.12 if named else 0.12
            tokens, _ = full_name(stack[at:], cautious=True) if not named else (list(segment.tokens), 1)
            named = named or is_name_like(segment.text)
            votes.add(tokens, score)
    for block in blocks:
        low = block.page.number > 1 or block.top > _FOOTER * block.page.height
        has_address = _is_address(block) if low else block.town is not None
        if is_label(block.first) or not (has_address or has_legal_form(block.first.text)):
            continue
        votes.add(block.first.tokens, (0.36 if low else 0.2) - (_RECIPIENT if block is recipient else 0.0))


def _is_surely_label(segment: Segment, reading: PageReading) -> bool:
    is_label = reading.kind(segment.index, "label", "head") >= _LABEL
    return is_label and reading.role(segment.index, "sender name") < _SENDER


def recipient_block(
    page: PageView, blocks: Sequence[TextBlock], is_label: Callable[[Segment], bool]
) -> TextBlock | None:
    """Return the address that a letter is sent to, None if the page has none.

    It begins in the window, in the size of the text, without contact data, and apart from another name, which
    is above or in the footer. Of several, it is the lowest with a postal code.
    """
    if page.width < SLIP * page.height:
        return None
    best: TextBlock | None = None
    for block in blocks:
        in_window = _WINDOW_TOP * page.height < block.top < _WINDOW_BOTTOM * page.height
        if block.page is not page or not in_window or not _is_address(block):
            continue
        if block.first.height > _LARGE * page.line_height or any(map(_is_contact, block.segments)):
            continue
        is_named = any(is_name_like(segment.text) for segment in block.segments)
        below = best is None or block.top > best.segments[-1].bottom
        coded, so_far = block.town is not None, best is not None and best.town is not None
        if is_named and (coded > so_far or (coded == so_far and below)):
            best = block
    if best is None:
        return None
    gap = _APART * page.line_height
    letterheads = [s for s in page.segments if s.middle < _TOP * page.height and s.bottom < best.top - gap]
    letterheads += [b.first for b in blocks if _is_address(b) and b.top > _FOOTER * b.page.height]
    if any(is_name_like(s.text) and not is_title(s.text) and not is_label(s) for s in letterheads):
        return best
    return best if any(line.top < best.segments[-1].top for line, _ in _return_lines(page)) else None


def _return_lines(page: PageView) -> Iterator[tuple[Segment, str]]:
    """Yield the lines "name · street · town" of a page, each with the name."""
    for segment in page.segments:
        parts = SEPARATORS.split(segment.text) if segment.middle < _WINDOW_BOTTOM * page.height else []
        has_street = len(parts) >= 3 and _DOTS.search(segment.text) is not None and is_street(parts[1])
        if len(parts) >= 3 and (has_street or find_town(segment.text) is not None):
            yield segment, parts[0]


def _sender_lines(page: PageView) -> Iterator[tuple[Segment, str]]:
    """Yield the lines that the page's reading takes for the sender's name and address, each with the name."""
    reading = reading_of(page)
    for segment in page.segments:
        if reading.role(segment.index, "sender line") >= _LIKELY:
            name, *rest = SEPARATORS.split(segment.text)
            if rest and not has_legal_form(name) and has_legal_form(f"{name}, {rest[0]}"):
                name = segment.text[: segment.text.index(rest[0], len(name)) + len(rest[0])]
            if ":" not in name and not any(c.isdigit() for c in name):
                yield segment, name


def _is_address(block: TextBlock) -> bool:
    """Return whether a block is an address: by a town, or without a postal code by few lines and a street."""
    few = len(block.segments) <= _MAX_LINES
    return block.town is not None or (few and any(is_street(s.text) for s in block.segments[1:3]))


def _is_contact(segment: Segment) -> bool:
    text = segment.text
    return is_company_note(text) or bool(MAIL.search(text)) or bool(find_phones(text))


def _stacks(segments: Sequence[Segment], height: float) -> list[list[Segment]]:
    """Return groups of segments below each other that are left-aligned, right-aligned or centred."""
    stacks: list[list[Segment]] = []
    for segment in segments:
        for stack in stacks:
            last = stack[-1]
            offset = min(
                abs(last.left - segment.left),
                abs(last.right - segment.right),
                abs(last.centre - segment.centre),
            )
            if offset < 1.5 * height and segment.top - last.bottom < 2.0 * height and segment.row != last.row:
                stack.append(segment)
                break
        else:
            stacks.append([segment])
    return stacks


_BANKS = ("bank", "銀行", "银行", "은행")
"""How names of banks end."""


def bank_likeness(text: str) -> float:
    """Return 1 if a word of the name says bank, else 0."""
    forms = [key(text), *map(key, text.split())]
    return float(any(form in word_set("bank_words") or form.endswith(_BANKS) for form in forms))
