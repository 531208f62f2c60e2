"""What one corrected document teaches about all documents with a similar layout."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

import msgspec
from rapidfuzz.fuzz import ratio

from docduck.fields import Field

T = TypeVar("T")

_MIN_SIMILARITY = 0.4
"""Minimum similarity of documents with the same layout."""
_MIN_UNKNOWN = 0.7
"""Minimum similarity where no mark of the sender says whether it is the same one."""
_SAME_NAME = 85
"""Minimum similarity (0-100) of two readings of a name."""
_NAME_START = 6
"""Letters from which a name may be the beginning of another."""


@dataclass(frozen=True, slots=True)
class SenderMarks:
    """What the first page says of its sender, in normal form, each empty where it says nothing.

    ``registrations`` are VAT numbers, ``accounts`` IBANs, ``hosts`` those of web and mail addresses.
    """

    names: frozenset[str] = frozenset()
    registrations: frozenset[str] = frozenset()
    accounts: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()

    def agree(self, other: SenderMarks) -> bool | None:
        """Return whether documents are of one sender: more kinds of marks agree than differ.

        Where as many differ as agree, the name decides. None if there is no kind that both have.
        """
        named = _same_name(self.names, other.names)
        pairs = (
            (self.registrations, other.registrations),
            (self.accounts, other.accounts),
            (self.hosts, other.hosts),
        )
        votes = [not mine.isdisjoint(others) for mine, others in pairs if mine and others]
        votes += [] if named is None else [named]
        if not votes:
            return None
        balance = 2 * sum(votes) - len(votes)
        return balance > 0 or (balance == 0 and named is not False)


@dataclass(frozen=True, slots=True)
class LayoutFingerprint:
    """The first page's words without digits: ``words`` as they are, ``marks`` with the column of each.

    The addressee's name and address are left out. ``sender`` is what it says of its sender.
    """

    words: frozenset[str]
    marks: frozenset[str]
    sender: SenderMarks = SenderMarks()

    def is_like(self, other: LayoutFingerprint) -> bool:
        """Return whether documents have the same layout: of one sender, with its words where they stood."""
        agreed = self.sender.agree(other.sender)
        least = _MIN_UNKNOWN if agreed is None else _MIN_SIMILARITY
        return agreed is not False and self.similarity(other) >= least

    def similarity(self, other: LayoutFingerprint) -> float:
        """Return how similar two layouts are, 0–1: the mean share of common words and of common marks."""
        return (_shared(self.words, other.words) + _shared(self.marks, other.marks)) / 2


def _shared(own: frozenset[str], other: frozenset[str]) -> float:
    both = len(own & other)
    return both / (len(own) + len(other) - both) if both else 0.0


def _same_name(own: frozenset[str], other: frozenset[str]) -> bool | None:
    """Return whether one of the names is in both, perhaps misread or cut off; None if either has none."""
    if not own or not other:
        return None
    pairs = (sorted((name, another), key=len) for name in own for another in other)
    return any(
        ratio(short, long) >= _SAME_NAME or (len(short) >= _NAME_START and long.startswith(short))
        for short, long in pairs
    )


@dataclass(frozen=True, slots=True)
class PrintedPlace:
    """Where a value is printed. ``page`` counts from 1, or from -1 for the last; edges are 0–1 of the page.

    ``before`` and ``after`` are the normal forms of the words around the value in its segment, ``beside``
    and ``above`` those of the segments left of and over it: empty where there are none. The value takes
    ``lines`` lines, and with ``whole`` all of its block; ``joint`` is what they are joined with. ``shape``
    is the pattern of its characters. With ``corrected`` it had been read wrong or not at all. ``label`` is
    the text that announces it, as it is printed. With ``foreign`` the position contradicts what the field is.
    ``misleading`` are labels of the field that the document printed elsewhere, in normal form.
    """

    page: int
    left: float
    top: float
    right: float
    before: str = ""
    after: str = ""
    beside: str = ""
    above: str = ""
    lines: int = 1
    whole: bool = False
    joint: str = " "
    shape: str = ""
    corrected: bool = True
    label: str = ""
    foreign: bool = False
    misleading: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The normal form of the words that announce the value; empty if there are none."""
        above = "" if any(c.isdigit() for c in self.above) else self.above
        return self.before or self.beside or above


@dataclass(frozen=True, slots=True)
class Mistake:
    """A value that was read in error: a person ``cleared`` it, or corrected it to one that no words show.

    ``text`` is its normal form, ``place`` where it is printed, None if nowhere.
    """

    text: str
    cleared: bool
    place: PrintedPlace | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """By whom and when a value was set; ``at`` is ISO 8601."""

    by: str
    at: str


@dataclass(frozen=True, slots=True)
class LearnedLayout:
    """What a corrected document teaches about each field.

    ``places`` are where values are printed, ``headers`` the texts over columns of tables. ``values`` are the
    right values of fields that may have a constant, and ``unprinted`` those that a person gave and no words
    show. ``mistakes`` are values that had been read in error. ``right_columns`` are the columns of tables of
    which every cell was right as it was read.
    ``document_id`` is that document. ``edits`` are of the fields that a person set; what else it teaches was
    learned at ``learned_at``. ``removed`` are the times at which lessons were removed, by field.
    With ``approved``, a person took the whole document as right.
    Fields and columns are named by their id, or their name if they have none.
    """

    fingerprint: LayoutFingerprint
    places: Mapping[str, PrintedPlace] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    unprinted: Mapping[str, Any] = field(default_factory=dict)
    mistakes: Mapping[str, Mistake] = field(default_factory=dict)
    headers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    right_columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    document_id: str | None = None
    edits: Mapping[str, Edit] = field(default_factory=dict)
    removed: Mapping[str, str] = field(default_factory=dict)
    learned_at: str = ""
    approved: bool = False

    @property
    def teaches(self) -> bool:
        """Whether a person corrected where values are read; if not, it only confirms positions."""
        return (
            bool(self.headers)
            or any(place.corrected for place in self.places.values())
            or any(mistake.cleared and mistake.place for mistake in self.mistakes.values())
        )

    def confirms(self, name: str) -> bool:
        """Return whether a person took the value of a field as right, set or as it was read."""
        return self.approved or name in self.edits

    def taught_at(self, name: str) -> str:
        """Return when the document has taught a field."""
        return self.edits[name].at if name in self.edits else self.learned_at

    def without(self, names: Collection[str]) -> LearnedLayout:
        """Return the layout without what it teaches about fields, or about columns named ``table.column``."""

        def left(taught: Mapping[str, T]) -> dict[str, T]:
            return {name: lesson for name, lesson in taught.items() if name not in names}

        headers = {
            table: {column: text for column, text in columns.items() if f"{table}.{column}" not in names}
            for table, columns in self.headers.items()
        }
        return replace(
            self,
            places=left(self.places),
            values=left(self.values),
            unprinted=left(self.unprinted),
            mistakes=left(self.mistakes),
            headers={table: columns for table, columns in headers.items() if columns},
            right_columns=left(self.right_columns),
        )

    def as_json(self) -> dict[str, Any]:
        """Return the shape that is stored."""
        return {
            "words": sorted(self.fingerprint.words),
            "marks": sorted(self.fingerprint.marks),
            "sender": {kind: sorted(marks) for kind, marks in asdict(self.fingerprint.sender).items()},
            **{name: value for name, value in asdict(self).items() if name != "fingerprint"},
        }

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> LearnedLayout:
        """Return a lesson from its stored shape.

        Earlier versions stored ``constants``, now in ``unprinted``, and texts with their places.
        """
        unprinted = stored.get("unprinted", stored.get("constants", {}))
        printed = {name: place["text"] for name, place in stored["places"].items() if place.get("text")}
        former = {"unprinted": unprinted, "values": {**printed, **unprinted}}
        return msgspec.convert({**former, **stored, "fingerprint": stored}, LearnedLayout)


def field_identity(field: Field) -> str:
    """Return a field's id, which is stable when the field is renamed, or its name if it has none."""
    return field.id or field.name
