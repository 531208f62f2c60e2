"""Parties: who sends the document, who it is for, where goods go, and their addresses.

A heading such as "Bill to" names a block's party. Without one, the sender is found by what senders
print about themselves (letterhead, return line over the address window, footer, mail domain, legal
form), and the recipient is the address that is not the sender's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from docduck.extraction.layout.blocks import Block, blocks
from docduck.extraction.layout.labels import Occurrence
from docduck.extraction.layout.scan import Scan
from docduck.extraction.layout.slots import segment_below
from docduck.extraction.lexicon import legal_forms, scalar_concepts
from docduck.extraction.values.addresses import find_town, is_street
from docduck.extraction.values.contacts import MAIL, WEB
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.text import key
from docduck.extraction.view import Segment, Token

_NAME_KEYS = frozenset(
    key(w)
    for w in "name firma company nom nombre naam nome nazwa firmenname société empresa raison_sociale razón_social "
    "company_name name_der_firma".replace("_", " ").split(" ")
)
_PARTS = re.compile(r"\s*(?:[·•|∙▪*]|\s[-–—]\s|,\s)\s*")
_SEPARATOR = re.compile(r"[·•|∙▪]|\s[-–—]\s")
_HIGH = 0.6
"""The part of a page, from the top, in which parties introduce themselves."""


@dataclass
class Party:
    """A party: the tokens of its name, the segments of its address, and how sure (0–1) it is."""

    name: Sequence[Token]
    score: float
    address: list[Segment] = field(default_factory=list)
    label: Occurrence | None = None

    @property
    def text(self) -> str:
        return " ".join(token.text for token in self.name).strip(" ,:;|·•-–")


def _letters(text: str) -> int:
    return sum(char.isalpha() for char in text)


def has_legal_form(text: str) -> bool:
    """Whether a word of ``text`` is a company's legal form (GmbH, Ltd, S.A. …)."""
    tokens = [key(word) for word in re.split(r"[\s,]+", text)]
    forms = legal_forms()
    if any(word in forms for word in tokens[1:]):
        return True
    return "".join(tokens[-2:]) in forms or "".join(tokens[-3:]) in forms


def name_like(text: str) -> bool:
    """Whether ``text`` can be a company's or a person's name."""
    letters = _letters(text)
    if letters < 3 or len(text) > 70 or "@" in text or text.rstrip().endswith(":"):
        return False
    if find_dates(text) or find_town(text) or WEB.fullmatch(text.strip()):
        return False
    if is_street(text) and not has_legal_form(text):
        return False
    digits = sum(char.isdigit() for char in text)
    return digits <= letters / 2


class PartyFinder:
    """Finds the parties of one document."""

    def __init__(self, scan: Scan) -> None:
        self.scan = scan
        self.blocks: list[list[Block]] = [blocks(page) for page in scan.view.pages[:2]]
        self._block_of = {
            id(segment): block for page in self.blocks for block in page for segment in block.segments
        }
        self.parties = self._find()

    def side_of(self, segment: Segment) -> str | None:
        """The party whose block ``segment`` stands in."""
        for side, party in self.parties.items():
            if segment in party.address or (party.name and party.name[0].segment is segment):
                return side
        return None

    def _find(self) -> dict[str, Party]:
        found: dict[str, Party] = {}
        for side in ("seller", "buyer", "delivery", "other"):
            named = self._headed(side)
            if named is not None:
                found[side] = named
        taken = {id(token.segment) for party in found.values() for token in party.name}
        taken |= {id(segment) for party in found.values() for segment in party.address}
        if "seller" not in found or found["seller"].score < 0.7:
            guessed = self._sender({s: p for s, p in found.items() if s != "seller"})
            if guessed is not None and ("seller" not in found or guessed.score > found["seller"].score):
                found["seller"] = guessed
        if "buyer" not in found:
            guessed = self._recipient(found)
            if guessed is not None:
                found["buyer"] = guessed
        return found

    def _headed(self, side: str) -> Party | None:
        """The party under or after a heading of its side."""
        names = {n for n, c in scalar_concepts().items() if c.side == side and c.kind in ("party", "address")}
        best: Party | None = None
        for page, occurrences in enumerate(self.scan.occurrences[:3]):
            for label in occurrences:
                mine = label.concepts & names
                if not mine or label.start > 0 or len(label.form) < 2:
                    continue
                party = self._under(label, page, side)
                if party is None:
                    continue
                if all(scalar_concepts()[n].kind == "address" for n in mine):
                    party.score *= 0.8
                if best is None or party.score > best.score:
                    best = party
        return best

    def _under(self, label: Occurrence, page: int, side: str) -> Party | None:
        around = self.scan.around[page]
        segment = label.segment
        rest = [t for t in segment.tokens[label.end :]]
        while rest and not rest[0].key:
            rest.pop(0)
        text = " ".join(t.text for t in rest)
        colon = (
            ":" in segment.text[: segment.starts[label.end - 1] + len(segment.tokens[label.end - 1].text) + 2]
        )
        if rest:
            if not colon or not name_like(text):
                return None
            return Party(rest, 0.85, self._address_after(segment), label)
        row = around.page.rows[segment.row]
        right = next((s for s in row.segments if s.left >= segment.right), None)
        under = segment_below(
            segment, around.page.rows, segment.left, segment.right, around.page.line_height, 2.5
        )
        aligned = under is not None and abs(under.left - segment.left) < 3 * around.page.line_height
        if under is not None and (aligned or right is None):
            party = self._from_lines(under, label, side)
            if party is not None:
                return party
        if colon and right is not None and name_like(right.text) and not around.label_within(right, 0, 1):
            return Party(right.tokens, 0.8, self._address_after(right), label)
        return None

    def _column(self, first: Segment, limit: int = 9) -> list[Segment]:
        """``first`` and what follows under it in its column, to the next gap."""
        lines = [first]
        page = first.page
        while len(lines) < limit:
            last = lines[-1]
            under = segment_below(last, page.rows, last.left, last.right, page.line_height, 0.9)
            if under is None or abs(under.left - first.left) > 1.5 * page.line_height:
                break
            lines.append(under)
        return lines

    def _from_lines(self, first: Segment, label: Occurrence, side: str) -> Party | None:
        lines = self._column(first)
        for index, line in enumerate(lines):
            head = line.tokens[0]
            if head.text.endswith(":") and head.key in _NAME_KEYS:
                tokens = list(line.tokens[1:])
                if not tokens:
                    row = line.page.rows[line.row]
                    right = next((s for s in row.segments if s.left >= line.right), None)
                    tokens = list(right.tokens) if right else []
                if tokens:
                    return Party(tokens, 0.95, lines[index + 1 :], label)
        for index, line in enumerate(lines[:3]):
            if name_like(line.text) and not self._is_label_line(line):
                address = self._trim(lines[index + 1 :])
                score = 0.8 + (0.1 if any(find_town(s.text) for s in address) else 0.0)
                score += 0.05 if has_legal_form(line.text) else 0.0
                return Party(line.tokens, score, address, label)
        return None

    def _is_label_line(self, segment: Segment) -> bool:
        around = self.scan.around[segment.page.number - self.scan.view.pages[0].number]
        return any(
            o.start == 0 and (o.alone or ":" in segment.tokens[o.end - 1].text)
            for o in around.by_segment.get(segment.index, ())
        )

    def _address_after(self, segment: Segment) -> list[Segment]:
        return self._trim(self._column(segment)[1:])

    def _trim(self, lines: list[Segment]) -> list[Segment]:
        """``lines`` up to the one after the town (the country), without contact lines."""
        kept: list[Segment] = []
        for line in lines:
            if MAIL.search(line.text) or self._is_label_line(line):
                break
            kept.append(line)
            if find_town(line.text):
                following = lines[lines.index(line) + 1 : lines.index(line) + 2]
                if (
                    following
                    and not any(c.isdigit() for c in following[0].text)
                    and len(following[0].text) < 30
                ):
                    if not self._is_label_line(following[0]):
                        kept.append(following[0])
                return kept
        return kept

    def _domains(self) -> str:
        text = " ".join(
            s.text
            for page in self.scan.view.pages[:2]
            for s in page.segments
            if "@" in s.text or "www" in s.text
        )
        hosts = [m.split("@")[1] for m in MAIL.findall(text)] + WEB.findall(text)
        return " ".join(key(host) for host in hosts)

    def _sender(self, known: dict[str, Party]) -> Party | None:
        """The most likely name of the sender, by what senders print about themselves."""
        others = {key(p.text) for p in known.values()}
        domains = self._domains()
        scores: dict[str, float] = {}
        first: dict[str, Party] = {}
        if not self.scan.view.pages:
            return None
        page = self.scan.view.pages[0]

        def vote(tokens: Sequence[Token], score: float, address: list[Segment]) -> None:
            text = " ".join(t.text for t in tokens).strip(" ,:;|·•-–")
            name = key(text)
            if len(name) < 3 or name in others or not name_like(text):
                return
            if has_legal_form(text):
                score += 0.15
            bare = key(re.split(r"[\s,]", text)[0])
            if len(bare) > 3 and bare in domains:
                score += 0.15
            if name not in first or first[name].score < score:
                first[name] = Party(tokens, score, address)
            scores[name] = max(scores.get(name, 0.0), score) + (0.1 if name in scores else 0.0)

        for segment in page.segments:
            if _SEPARATOR.search(segment.text) or "," in segment.text:
                town = find_town(segment.text)
                parts = _PARTS.split(segment.text)
                if town is not None and len(parts) >= 3 and segment.middle < 0.4 * page.height:
                    vote(segment.slice(0, len(parts[0])), 0.6, [segment])
        top = [s for s in page.segments if s.middle < 0.25 * page.height][:12]
        for order, segment in enumerate(top):
            if self._is_label_line(segment) or key(segment.text) in _title_words():
                continue
            block = self._block_of.get(id(segment))
            size = min(segment.height / page.line_height - 1.0, 1.5)
            score = 0.34 - 0.02 * order + 0.12 * size
            if block is not None and block.first is segment and block.town is not None:
                score += 0.16
            vote(segment.tokens, score, self._address_after(segment))
        for block in (b for group in self.blocks for b in group):
            if block.town is None and not has_legal_form(block.first.text):
                continue
            low = block.page.number > 1 or block.top > 0.8 * page.height
            vote(block.first.tokens, 0.36 if low else 0.25, self._trim(block.segments[1:]))
        if not scores:
            return None
        best = max(scores, key=lambda n: scores[n])
        party = first[best]
        party.score = min(scores[best], 0.95)
        return party

    def _recipient(self, known: dict[str, Party]) -> Party | None:
        """The address in the upper part of the first page that is no other party's."""
        if not self.blocks:
            return None
        taken = {id(t.segment) for p in known.values() for t in p.name}
        taken |= {id(s) for p in known.values() for s in p.address}
        names = {key(p.text) for s, p in known.items() if s != "delivery"}
        best: Party | None = None
        for block in self.blocks[0]:
            if block.town is None or block.top > _HIGH * block.page.height:
                continue
            index = block.town[0]
            lines = block.segments[:index]
            while lines and (
                not name_like(lines[0].text) or id(lines[0]) in taken or self._is_label_line(lines[0])
            ):
                lines = lines[1:]
            if not lines or len(lines) > 5 or key(lines[0].text) in names:
                continue
            score = 0.6 + (0.1 if len(lines) > 1 else 0.0)
            if best is None or score > best.score:
                best = Party(
                    lines[0].tokens, score, self._trim(block.segments[block.segments.index(lines[0]) + 1 :])
                )
        return best


def _title_words() -> frozenset[str]:
    concepts = scalar_concepts()
    return frozenset(
        form
        for name in ("invoice_number", "order_number", "statement_number")
        for form in concepts[name].labels
    )
