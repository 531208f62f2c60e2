"""Merges two readings of a document: the model's and the one without it.

Agreement raises the confidence, disagreement lowers it, and what a model names but no page shows is
flagged. The weights are set by hand: a value that a model returns and a page shows is right in about six of
seven cases, one that no page shows in one of four.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from docduck.extraction.confidence import agreement, disagreement
from docduck.extraction.extractor import Findings, TableRows
from docduck.extraction.extractors.model.evidence import Evidence, Place, must_show
from docduck.extraction.extractors.model.extractor import Candidate, ModelReading
from docduck.extraction.extractors.model.rows import Row, compared
from docduck.extraction.extractors.value_forms import has_form
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.result import Finding, Location
from docduck.fields import Field, FieldType

_SHOWN, _NOT_TO_BE_SHOWN, _NOT_SHOWN = 0.86, 0.78, 0.25
_NOT_NAMED = 0.8
"""The factor for a value that the model did not return, although it read all pages."""
_NOT_ON_PAGE = "not_on_page"
_NEARLY_SURE = 0.95
"""The confidence from which a scalar of the other reading is kept against the model's."""
_LEAST_SHARE = 0.7
"""The share of the other reading's cells on a page that the model must reach for its rows to be kept."""


def merge_readings(
    reading: ModelReading, other: Findings, fields: Sequence[Field], evidence: Evidence
) -> None:
    """Change ``other``, the reading without the model, to what both together find for ``fields``."""
    for field in fields:
        name = field.name
        if field.type is FieldType.TABLE:
            rows = reading.tables.get(name, [])
            if rows:
                other.tables[name] = _rows(field, rows, other.tables.get(name, []))
            continue
        query = query_of(field)
        candidates = [
            candidate
            for candidate in reading.candidates.get(name, ())
            if not isinstance(candidate.value, str) or has_form(query, candidate.value)
        ]
        if not candidates and reading.whole and name in other.scalars:
            other.scalars[name].confidence *= _NOT_NAMED
        finding = _scalar(field, candidates, other.scalars.get(name), evidence)
        if finding is not None:
            other.scalars[name] = finding


def _scalar(
    field: Field, candidates: Sequence[Candidate], other: Finding | None, evidence: Evidence
) -> Finding | None:
    if not candidates:
        return other

    def merit(candidate: Candidate) -> tuple[bool, bool, int]:
        agrees = other is not None and compared(candidate.value) == compared(other.value)
        return bool(candidate.places), agrees, candidate.votes

    best = max(candidates, key=merit)
    near = other.locations if other is not None else ()
    places = best.places
    if field.type is FieldType.LIST:
        place: Place = tuple(location for place in places for location in place)
        share = len(places) / len(best.value)
    else:
        place = evidence.best(field, places, near) if places else ()
        share = 1.0 if places else 0.0
    mine = _finding(field, best.value, place, share)
    if other is None or other.value is None:
        return mine
    return _both(mine, other)


def _finding(field: Field, value: object, place: Place, share: float) -> Finding:
    """Return the model's own finding; ``share`` is how much of it the pages show."""
    if share < 1.0 and must_show(field):
        confidence = _SHOWN * share + _NOT_SHOWN * (1 - share)
        entry = {
            "rule": _NOT_ON_PAGE,
            "message": f"The language model named '{field.name}', but no page shows it",
        }
        return Finding(value, confidence, place, _text(place), "ai", [entry])
    return Finding(value, _SHOWN if place else _NOT_TO_BE_SHOWN, place, _text(place), "ai")


def _text(place: Sequence[Location]) -> str | None:
    return " ".join(location.text for location in place) or None


def _both(mine: Finding, other: Finding, sure: float = _NEARLY_SURE) -> Finding:
    """Return the finding that two readings of a field make together.

    If they differ, it is the model's, unless no page shows that one or the other one is ``sure``.
    """
    if compared(mine.value) == compared(other.value):
        mine.confidence = agreement(mine.confidence, other.confidence)
        mine.locations = mine.locations or other.locations
        mine.raw_text = mine.raw_text or other.raw_text
        mine.validation = [*other.validation, *(mine.validation if not other.locations else [])]
        return mine
    flagged = any(entry["rule"] == _NOT_ON_PAGE for entry in mine.validation)
    keeps_other = other.confidence >= (mine.confidence if flagged else sure)
    chosen, rejected = (other, mine) if keeps_other else (mine, other)
    chosen.confidence = disagreement(chosen.confidence, rejected.confidence)
    if not (keeps_other and flagged):
        said = f"Another reading found {rejected.value!r}"
        chosen.validation = [*chosen.validation, {"rule": "second_reading", "message": said[:500]}]
    return chosen


def _rows(table: Field, rows: Sequence[Row], others: TableRows) -> TableRows:
    """Return the model's rows; where the other reading has a row like one of them, cell by cell compared.

    The other reading's rows are kept if the model returned far fewer that the pages show.
    """
    mine = [_cells(table, row) for row in rows]
    if _shown(mine) < _LEAST_SHARE * _shown(others):
        return others
    for cells, twin in zip(mine, _twins(rows, others), strict=True):
        for name, cell in cells.items():
            if twin is not None and name in twin and twin[name].value is not None:
                cells[name] = _both(cell, twin[name], sure=1.0)
    return mine


def _shown(rows: TableRows) -> int:
    """Return how many cells the pages show."""
    return sum(bool(cell.locations) for row in rows for cell in row.values())


def _cells(table: Field, row: Row) -> dict[str, Finding]:
    return {
        column.name: _finding(
            column, row.values[column.name], row.places.get(column.name, ()), float(column.name in row.places)
        )
        for column in table.columns
        if column.name in row.values
    }


def _twins(rows: Sequence[Row], others: TableRows) -> list[dict[str, Finding] | None]:
    """Return for each row the one of the other reading that shares most cells, at least half of them."""
    holders: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, other in enumerate(others):
        for name, cell in other.items():
            holders[name, compared(cell.value)].append(index)
    taken: set[int] = set()
    twins: list[dict[str, Finding] | None] = []
    for row in rows:
        votes = Counter(
            index
            for name, value in row.values.items()
            for index in holders.get((name, compared(value)), ())
            if index not in taken
        )
        best = max(votes, key=lambda index: (votes[index], -index), default=None)
        if best is None or 2 * votes[best] < len(row.values):
            twins.append(None)
        else:
            taken.add(best)
            twins.append(others[best])
    return twins
