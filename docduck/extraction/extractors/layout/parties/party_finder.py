"""Finds the parties of a document (seller or sender, buyer or recipient, delivery) and their addresses.

A heading such as "Bill to" names the party of the block below. Without a heading, the sender is found by the
letterhead, and the recipient is the address that isn't the sender's.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.names import (
    bare_name,
    full_name,
    has_legal_form,
    is_name_like,
    repair_name,
    without_label,
)
from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch
from docduck.extraction.extractors.layout.labels.neighbours import right_neighbour, segment_below
from docduck.extraction.extractors.layout.parties import letterhead, postal_addresses
from docduck.extraction.extractors.layout.parties.sides import SIDES
from docduck.extraction.extractors.layout.parties.text_blocks import TextBlock, find_text_blocks
from docduck.extraction.extractors.layout.parties.titles import is_title
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.issuers import addressed
from docduck.extraction.fields.meanings import meanings_of
from docduck.extraction.lexicon import scalar_concepts, word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import Segment, Token, text_of
from docduck.extraction.reading import reading_of
from docduck.extraction.values.addresses import find_town

_RECIPIENT_AREA = 0.6
"""Recipients' addresses are within this share of the page's height, from the top."""
_WEAK = 0.7
"""Factor for an ambiguous heading, such as "Account holder"."""
_UNCODED = 0.5
"""Score of a recipient whose address has no postal code."""
_HONOURED = 0.85
"""Score of a recipient whose name has an honorific behind it."""
_GREETED, _GREETING_WORDS = 0.45, 8
"""Score of a recipient whom a letter greets, and the words of a greeting at most."""
_READ, _LIKELY = 0.65, 0.5
"""What a party of the page's reading counts beside one that rules found, and its least probability."""
_OPPOSITE = {"seller": "buyer", "buyer": "seller"}
"""The side that nobody is on besides this one."""
_LETTERHEAD = 0.4
"""Score from which a letterhead names the issuer of a document that names its supplier."""


@dataclass
class Party:
    """A party: the tokens of its name and address, and its score 0–1."""

    name: Sequence[Token]
    score: float
    address: list[Token] = field(default_factory=list)

    @property
    def text(self) -> str:
        text = text_of(bare_name(self.name)).strip(" ,:;|·•-–")
        return repair_name(text) if self.name[0].segment.page.ocr else text


class PartyFinder:
    """Finds the parties of one document; ``targets`` supply further headings."""

    def __init__(self, analysis: DocumentAnalysis, targets: Sequence[FieldQuery]) -> None:
        self.analysis = analysis
        self.blocks: list[TextBlock] = [
            block for page in analysis.view.pages[:2] for block in find_text_blocks(page)
        ]
        self._own: dict[str, str] = {}
        for target in targets:
            if target.concept and target.concept.side and target.kind in ("party", "address"):
                for form in target.own:
                    self._own.setdefault(form, target.concept.side)
        self._hosts = letterhead.mail_and_web_hosts(analysis.view.pages[:2])
        self.parties = self._find()

    def _find(self) -> dict[str, Party]:
        parties: dict[str, Party] = {}
        if not self.analysis.view.pages:
            return parties
        for side in ("buyer", "seller", "delivery", "other"):
            named = self._under_heading(side)
            if named is not None and all(named.name[0] is not p.name[0] for p in parties.values()):
                parties[side] = named
        honoured = None if "buyer" in parties else self._honoured()
        if honoured is not None:
            parties["buyer"] = honoured
        headed = frozenset(parties)
        if "seller" not in parties or parties["seller"].score < 0.7:
            sender = self._sender(parties, "seller")
            if sender is not None and ("seller" not in parties or sender.score > parties["seller"].score):
                parties["seller"] = sender
        if "buyer" not in parties and "seller" in headed:
            sender = self._sender(parties, "buyer")
            if sender is not None and sender.score >= _LETTERHEAD:
                parties["buyer"] = sender
        if "buyer" not in parties or parties["buyer"].score < 0.7:
            weak = parties.pop("buyer", None)
            recipient = self._recipient(parties)
            if weak is not None and (recipient is None or weak.score >= recipient.score):
                recipient = weak
            if recipient is not None:
                parties["buyer"] = recipient
        if "buyer" not in parties and "delivery" in headed:
            parties["buyer"] = parties["delivery"]
        for role, side in SIDES.items():
            read = self._read(role)
            if read is None or (side in parties and parties[side].score >= read.score * _READ):
                continue
            other = parties.get(_OPPOSITE.get(side, ""))
            if other is None or key(other.text) != key(read.text):
                parties[side] = read
        for side, party in parties.items():
            if not party.address:
                party.address = self._address(side, party, parties)
        return parties

    def _read(self, role: str) -> Party | None:
        """Return the party of a role as the reading of the first page sees it."""
        page = self.analysis.view.pages[0]
        reading = reading_of(page)
        named = [(reading.role(s.index, f"{role} name"), s) for s in page.segments]
        likely = [
            (p, s)
            for p, s in named
            if p >= _LIKELY and is_name_like(s.text) and not self.is_label(s) and not is_title(s.text)
        ]
        if not likely:
            return None
        best, first = max(likely, key=lambda pair: pair[0])
        address = [s for s in page.segments if reading.role(s.index, f"{role} address") >= _LIKELY]
        near = [
            s
            for s in address
            if abs(s.left - first.left) < page.width / 4
            and first.top < s.top < first.bottom + 8 * page.line_height
        ]
        whole = near if any(find_town(line.text) for line in near) else []
        return Party(without_label(first.tokens), best, _tokens(whole))

    def bank(self) -> Party | None:
        """Return the bank that issues a statement, or the bank named in the payment details."""
        if not self.analysis.view.pages:
            return None
        votes = letterhead.NameVotes((), self._hosts)
        letterhead.collect_votes(votes, self.analysis.view.pages[0], self.blocks, self.is_label)
        for page in self.analysis.view.pages[:2]:
            reading = reading_of(page)
            for segment in page.segments:
                is_cell = reading.kind(segment.index, "cell", "head") >= _LIKELY
                if letterhead.bank_likeness(segment.text) and len(segment.tokens) <= 6 and not is_cell:
                    votes.add(segment.tokens, 0.3)
        winner = votes.winner(letterhead.bank_likeness)
        if winner is None or not letterhead.bank_likeness(text_of(winner[0])):
            return None
        return Party(winner[0], max(winner[1], 0.7))

    def is_label(self, segment: Segment) -> bool:
        """Return whether a segment is a label: it ends with a colon, or is a known label without a value."""
        right = right_neighbour(segment)
        if segment.text.endswith(":") or (right is not None and right.text.startswith(":")):
            return True
        if reading_of(segment.page).is_label(segment.index):
            return True
        return self.analysis.label_index(segment).begins_with_label(segment)

    def _under_heading(self, side: str) -> Party | None:
        """Return the best party below or after a heading of ``side``."""
        concepts = scalar_concepts()
        names = {n for n, c in concepts.items() if c.side == side and c.kind in ("party", "address")}
        best: Party | None = None
        for page, occurrences in enumerate(self.analysis.occurrences[:3]):
            for label in occurrences:
                own = self._own.get(label.form)
                if (own or side) != side or not (own or label.concepts & names):
                    continue
                if label.start > 0:
                    continue
                party = self._below_label(label, page)
                if party is None:
                    continue
                if not own and all(concepts[n].kind == "address" for n in label.concepts & names):
                    party.score *= 0.8
                if not own and all(label.form in concepts[n].weak for n in label.concepts & names):
                    party.score *= _WEAK
                if best is None or party.score > best.score:
                    best = party
        return best

    def _below_label(self, label: LabelMatch, page: int) -> Party | None:
        label_index = self.analysis.label_indexes[page]
        segment = label.segment
        rest, colon = label.following, label.has_colon
        if rest:
            town = find_town(text_of(rest))
            if town is not None:
                rest = postal_addresses.before_address(rest)
            if not colon or not is_name_like(text_of(rest)):
                return None
            return Party(rest, 0.85, self._lines_under(segment))
        right = right_neighbour(segment)
        height = max(label_index.page.line_height, segment.height)
        if right is not None and colon and self._is_value(right, segment):
            return Party(right.tokens, 0.8, self._lines_under(right))
        below_segment = segment_below(segment, segment.left, segment.right, height, 2.5)
        aligned = (
            below_segment is not None
            and abs(below_segment.left - segment.left) < 3 * label_index.page.line_height
        )
        if below_segment is not None and (aligned or right is None):
            party = self._from_lines(below_segment)
            if party is not None:
                return party
        if right is not None and is_name_like(right.text) and not self.is_label(right):
            close = right.left - segment.right < 0.25 * label_index.page.width
            if colon or close:
                return Party(right.tokens, 0.8 if colon else 0.6, self._lines_under(right))
        return None

    def _is_value(self, segment: Segment, label: Segment) -> bool:
        """Return whether the reading of the page takes a name beside a label for its value."""
        pointed = reading_of(segment.page).caption(segment.index, label.index) >= _LIKELY
        return pointed and is_name_like(segment.text) and not self.is_label(segment)

    def _from_lines(self, first: Segment) -> Party | None:
        lines = postal_addresses.column_lines(first)
        for index, line in enumerate(lines):
            tokens = without_label(line.tokens)
            if len(tokens) < len(line.tokens) or (line.key in word_set("name_labels") and index < len(lines)):
                if len(tokens) == len(line.tokens) or not tokens:
                    right = right_neighbour(line)
                    tokens = _wrapped_above(right) if right else []
                if tokens:
                    return Party(
                        tokens,
                        0.95,
                        _tokens(postal_addresses.trim_address(lines[index + 1 :], self.is_label)),
                    )
        for index, line in enumerate(lines[:5]):
            last = index + 1 == len(lines)
            if (
                self.is_label(line)
                or ":" in line.text
                or (not is_name_like(line.text) and (last or find_town(line.text)))
            ):
                continue
            name, count = full_name(lines[index:])
            address = postal_addresses.trim_address(lines[index + count :], self.is_label)
            score = 0.8 + (0.1 if any(find_town(s.text) for s in address) else 0.0)
            score += 0.05 if has_legal_form(line.text) else 0.0
            score -= 0.0 if is_name_like(text_of(name)) else 0.3
            return Party(name, score, _tokens(address))
        return None

    def _honoured(self) -> Party | None:
        """Return the party whose name is followed by an honorific on the first page: "株式会社山田 御中"."""
        for segment in self.analysis.view.pages[0].segments:
            *name, last = segment.tokens
            if name and last.key in word_set("honorifics") and is_name_like(text_of(name)):
                return Party(name, _HONOURED, self._lines_under(segment))
        return None

    def _lines_under(self, segment: Segment) -> list[Token]:
        return _tokens(
            postal_addresses.trim_address(postal_addresses.column_lines(segment)[1:], self.is_label)
        )

    def _address(self, side: str, party: Party, known: dict[str, Party]) -> list[Token]:
        """Return a party's address: below its name, after it, below its repetition, or an unassigned one."""
        name = key(party.text)
        name_segments = [party.name[0].segment]
        page = name_segments[0].page
        if side == "seller" and page.ocr and find_town(name_segments[0].text) is None:
            stacked = postal_addresses.letterhead_lines(page, name_segments[0], self.is_label)
            if not stacked and page.width < letterhead.SLIP * page.height:
                stacked = postal_addresses.letterhead_lines(page, None, self.is_label)
            if stacked:
                return [token for line in stacked for token in line]
        name_segments += [
            s
            for page in self.analysis.view.pages[:2]
            for s in page.segments
            if s is not name_segments[0] and key(s.text).startswith(name)
        ]
        for segment in name_segments:
            tokens = postal_addresses.address_after_name(segment, name)
            if not tokens and key(segment.text) == name:
                lines = postal_addresses.trim_address(
                    postal_addresses.column_lines(segment)[1:], self.is_label
                )
                tokens = _tokens(lines) if any(find_town(s.text) for s in lines) else []
            if tokens:
                return tokens
        if side not in ("seller", "buyer"):
            return []
        if side == "seller":
            stacked = postal_addresses.letterhead_lines(page, name_segments[0], self.is_label)
            if stacked:
                return [token for line in stacked for token in line]
        taken = {id(t.segment) for p in known.values() for t in (*p.address, *p.name)}
        for segments in postal_addresses.unassigned_addresses(
            self.analysis.view.pages[:2], taken, self.is_label
        ):
            return _tokens(segments)
        return []

    def _sender(self, known: dict[str, Party], side: str) -> Party | None:
        others = {key(p.text) for s, p in known.items() if s != side}
        votes = letterhead.NameVotes(others, self._hosts)
        letterhead.collect_votes(votes, self.analysis.view.pages[0], self.blocks, self.is_label)
        winner = votes.winner()
        return Party(winner[0], winner[1]) if winner else None

    def _recipient(self, known: dict[str, Party]) -> Party | None:
        """Return the party in the upper part of the first page that no other role has."""
        taken = {id(t.segment) for p in known.values() for t in (*p.name, *p.address)}
        names = {key(p.text) for s, p in known.items() if s != "delivery"}
        best: Party | None = None
        for block in self.blocks:
            first_page = block.page is self.analysis.view.pages[0]
            if block.town is None or not first_page or block.top > _RECIPIENT_AREA * block.page.height:
                continue
            lines = block.segments
            while lines and (
                not is_name_like(lines[0].text)
                or id(lines[0]) in taken
                or self.is_label(lines[0])
                or _is_greeting(lines[0].tokens)
            ):
                lines = lines[1:]
            if not lines:
                continue
            name, count = full_name(lines)
            address = postal_addresses.trim_address(lines[count:], self.is_label)
            if not any(find_town(s.text) for s in address) or key(lines[0].text) in names:
                continue
            score = 0.6 + (0.1 if len(address) > 1 else 0.0)
            if best is None or score > best.score:
                best = Party(name, score, _tokens(address))
        return best or self._recipient_without_town(taken, names) or self._greeted()

    def _greeted(self) -> Party | None:
        """Return whom a letter greets by name: "Bonjour Mme Solène Kerguélen,"."""
        for segment in self.analysis.view.pages[0].segments:
            tokens, greetings = segment.tokens, word_set("greetings")
            greeted = tokens[0].key in greetings and tokens[-1].text.endswith((",", "!", ":"))
            if not greeted or len(tokens) > _GREETING_WORDS:
                continue
            name = tokens[1:]
            named = [t for t in name if t.key not in word_set("salutations")]
            if sum(t.text[:1].isupper() for t in named) > 1 and not meanings_of(text_of(named)) & addressed():
                return Party(name, _GREETED)
        return None

    def _recipient_without_town(self, taken: Set[int], names: Set[str]) -> Party | None:
        """Return the party that a letter is sent to by an address without a postal code."""
        block = letterhead.recipient_block(self.analysis.view.pages[0], self.blocks, self.is_label)
        if block is None or block.town is not None or id(block.first) in taken:
            return None
        if not is_name_like(block.first.text) or self.is_label(block.first):
            return None
        if reading_of(block.page).kind(block.first.index, "head", "cell") >= _LIKELY:
            return None
        name, count = full_name(block.segments)
        return None if key(text_of(name)) in names else Party(name, _UNCODED, _tokens(block.segments[count:]))


def _is_greeting(tokens: Sequence[Token]) -> bool:
    """Return whether a line greets a reader without a name: "Gentile cliente"."""
    greets = tokens[0].key in word_set("greetings")
    return greets and not meanings_of(text_of(tokens[1:])).isdisjoint(addressed())


def _wrapped_above(value: Segment) -> list[Token]:
    """Return the tokens of ``value``, preceded by the line directly above if that is alone in its row.

    This reads cells whose label is aligned with the middle or last line of its value.
    """
    page = value.page
    for row in reversed(page.rows[max(value.row - 2, 0) : value.row]):
        first = row.segments[0]
        if len(row.segments) == 1 and abs(first.left - value.left) < 0.3 * page.line_height:
            if value.top - first.bottom < 0.6 * value.height and is_name_like(first.text):
                return [*first.tokens, *value.tokens]
            if first.key in word_set("salutations") and value.top - first.bottom < value.height:
                return [*first.tokens, *value.tokens]
        break
    return list(value.tokens)


def _tokens(lines: Sequence[Segment]) -> list[Token]:
    return [token for line in lines for token in line.tokens]
