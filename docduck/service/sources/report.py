"""What there is to take in from a source, and what an intake did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from docduck.service.sources.ledger import ItemOutcome, Line
from docduck.service.sources.scan import SourceScan

_SENTENCES = 5
_SHOWN = 20
_COUNTERS = {
    ItemOutcome.REGISTERED: "registered",
    ItemOutcome.DUPLICATE: "duplicates",
    ItemOutcome.WAITING: "waiting",
    ItemOutcome.REFUSED: "refused",
    ItemOutcome.UNREADABLE: "unreadable",
    ItemOutcome.VANISHED: "vanished",
}


@dataclass(frozen=True, slots=True)
class SourceState:
    """The state of a source: ``new`` items that ``ingest`` would register.

    ``message`` describes it, with the reasons why items are left. Pass the ``signature`` to the next
    inspection to skip the work if nothing has changed.
    """

    new: int
    waiting: int
    message: str
    signature: str = ""
    scan: SourceScan | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Preview:
    """What ``ingest`` would take in now: the number of new items, the names of the first, and a message."""

    new: int
    items: Sequence[str]
    message: str

    @classmethod
    def of(cls, items: Sequence[str], message: str) -> Preview:
        """Return the preview of all these items."""
        return cls(len(items), items[:_SHOWN], message)


@dataclass(slots=True)
class IntakeReport:
    """What ``ingest`` did; ``by_parser`` counts registered documents by the label of their target."""

    registered: int = 0
    duplicates: int = 0
    waiting: int = 0
    refused: int = 0
    unreadable: int = 0
    vanished: int = 0
    by_parser: dict[str, int] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)


def count_lines(report: IntakeReport, label: str, lines: Iterable[Line], place: str) -> None:
    """Add ledger lines of a target to the report, with a message for each item that was not registered."""
    for line in lines:
        counter = _COUNTERS[line.outcome]
        setattr(report, counter, getattr(report, counter) + 1)
        if line.outcome is ItemOutcome.REGISTERED:
            report.by_parser[label] = report.by_parser.get(label, 0) + 1
        if line.message:
            report.messages.append(f"{place}/{line.item}: {line.message}")


def sentences(first: str, more: Sequence[str]) -> str:
    """Return a message of several sentences, the later ones cut off if they are many."""
    sentences_ = [first, *more[:_SENTENCES]]
    if len(more) > _SENTENCES:
        sentences_.append(f"And {len(more) - _SENTENCES} more")
    return ". ".join(sentences_) + "."
