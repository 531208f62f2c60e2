"""The statements of all codes and zones of a document, read only as far as fields ask for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

from docduck.documents.document import Document
from docduck.extraction.extractors.codes.elements import family_of
from docduck.extraction.extractors.codes.fiscal_documents import fiscal_statements
from docduck.extraction.extractors.codes.formats.mrz_lines import find_zones
from docduck.extraction.extractors.codes.goods import goods_statements
from docduck.extraction.extractors.codes.identity_papers import licence_statements, zone_statements
from docduck.extraction.extractors.codes.payment_slips import bill_statements
from docduck.extraction.extractors.codes.printed import PrintedText
from docduck.extraction.extractors.codes.statement import Statement


@dataclass(slots=True)
class Reading:
    """A document while its codes are read; ``zones`` are the ids of the lines that are no printed text."""

    document: Document
    today: date
    zones: set[int] = field(default_factory=set)


def _holders(reading: Reading) -> Iterator[Statement]:
    zones = find_zones(reading.document, reading.today)
    reading.zones.update(id(line) for _, _, lines in zones for line in lines)
    yield from zone_statements([(zone, place) for zone, place, _ in zones])
    yield from licence_statements(reading.document)


_READERS: dict[str, Callable[[Reading], Iterable[Statement]]] = {
    "holder": _holders,
    "fiscal": lambda reading: fiscal_statements(reading.document),
    "goods": lambda reading: goods_statements(reading.document, reading.today),
    "bill": lambda reading: bill_statements(reading.document, reading.today),
}
"""What reads the elements of each kind of document."""


def read_elements(
    document: Document, wanted: Collection[str], today: date
) -> tuple[dict[str, Statement], PrintedText]:
    """Return the statements about the elements that are wanted, the first of each, and the printed text."""
    reading, stated = Reading(document, today), dict[str, Statement]()
    for family in sorted({family_of(element) for element in wanted}):
        for statement in _READERS[family](reading):
            stated.setdefault(statement.element, statement)
    return stated, PrintedText(document, reading.zones)
