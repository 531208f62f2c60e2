"""Merges two readings of a document: the model's and the one without it.

Each field gets the value that is more likely right (``choice``). A model's value that is likelier wrong than
right is a suggestion, not a value. Rows that were found without it stay, and it fills their empty cells. It
gives the rows where there are none, and where only its own add up.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from docduck.documents.document import Document
from docduck.extraction.confidence import agreement, disagreement
from docduck.extraction.extractor import Findings, TableRows
from docduck.extraction.extractors.model.choice import Choice, Reading, least_delivered
from docduck.extraction.extractors.model.doubts import failing, in_doubt
from docduck.extraction.extractors.model.evidence import Evidence, Place, must_show
from docduck.extraction.extractors.model.extractor import Candidate, ModelReading
from docduck.extraction.extractors.model.printed_labels import PrintedLabels
from docduck.extraction.extractors.model.rows import Row, compared
from docduck.extraction.extractors.value_forms import has_form
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.normal_text import value_key
from docduck.extraction.result import Finding, Location
from docduck.fields import Field, FieldType

_CELL = 0.85
"""How often a cell that a model names and its row's line shows is right."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A field's value in both readings, and what tells which one is right."""

    field: Field
    mine: Finding | None
    other: Finding | None
    choice: Choice


def merge_readings(
    reading: ModelReading, other: Findings, fields: Sequence[Field], document: Document, evidence: Evidence
) -> None:
    """Change ``other``, the reading without the model, to what both together find.

    ``fields`` are all of the document's.
    """
    doubted = in_doubt(fields, other)
    for both in list(compare_readings(reading, other, fields, document, evidence)):
        in_question = both.field.name in doubted
        other.scalars[both.field.name] = _chosen(both) if in_question else _kept(both)
    for field in fields:
        if rows := reading.tables.get(field.name):
            other.tables[field.name] = _rows(field, rows, other, fields)


def compare_readings(
    reading: ModelReading, other: Findings, fields: Sequence[Field], document: Document, evidence: Evidence
) -> Iterator[Compared]:
    """Yield the fields that the model was asked for and that have a value in one reading; no tables."""
    asked = [field for field in fields if field.name in reading.candidates]
    found = {name: finding for name, finding in other.scalars.items() if finding.value is not None}
    candidates = {field.name: _best(field, reading, found.get(field.name)) for field in asked}
    labels = PrintedLabels(document, fields)
    values = {name: finding.value for name, finding in found.items()}
    values |= {name: candidate.value for name, candidate in candidates.items() if candidate}
    said = Counter(map(compared, values.values()))

    def weighed(field: Field, finding: Finding, times: int, places: int = 1) -> Reading:
        return Reading(
            finding.confidence,
            _share_shown(field, finding),
            labels.at(field, finding.locations),
            times if must_show(field) else 0,
            places,
        )

    for field in asked:
        candidate, theirs, named = candidates[field.name], found.get(field.name), labels.named(field)
        mine = _finding(field, candidate, theirs, evidence) if candidate else None
        if mine is None and (theirs is None or not reading.whole):
            continue
        agree = mine is not None and theirs is not None and compared(mine.value) == compared(theirs.value)
        own = other_own = None
        if candidate and mine:
            times = said[compared(mine.value)] - 1
            own = weighed(field, mine, times, len(candidate.places))
        if theirs:
            times = said[compared(theirs.value)] - int(mine is None or agree)
            other_own = weighed(field, theirs, times)
        yield Compared(
            field, mine, theirs, Choice(field.type, own, other_own, agree, _within(mine, theirs), named)
        )


def _best(field: Field, reading: ModelReading, other: Finding | None) -> Candidate | None:
    """Return the model's likeliest value for a field: one that a page shows, that both readings have."""
    query = query_of(field)
    candidates = [
        candidate
        for candidate in reading.candidates.get(field.name, ())
        if not isinstance(candidate.value, str) or has_form(query, candidate.value)
    ]

    def merit(candidate: Candidate) -> tuple[bool, bool, int]:
        agrees = other is not None and compared(candidate.value) == compared(other.value)
        return bool(candidate.places), agrees, candidate.votes

    return max(candidates, key=merit, default=None)


def _finding(field: Field, candidate: Candidate, other: Finding | None, evidence: Evidence) -> Finding:
    """Return the model's value at its likeliest place; its confidence is not known yet."""
    place: Place = ()
    if field.type is FieldType.LIST:
        place = tuple(location for each in candidate.places for location in each)
    elif candidate.places:
        place = evidence.best(field, candidate.places, other.locations if other is not None else ())
    return Finding(candidate.value, 0.0, place, _text(place), "ai")


def _share_shown(field: Field, finding: Finding) -> float:
    if not must_show(field):
        return 1.0
    if field.type is FieldType.LIST and isinstance(finding.value, list):
        return min(1.0, len(finding.locations) / max(1, len(finding.value)))
    return float(bool(finding.locations))


def _within(mine: Finding | None, other: Finding | None) -> str:
    if mine is None or other is None or not isinstance(mine.value, str) or not isinstance(other.value, str):
        return ""
    short, long = value_key(mine.value), value_key(other.value)
    return "mine" if short in long else "other" if long in short else ""


def _chosen(both: Compared) -> Finding:
    """Return the likelier value with its probability, or none with a suggestion."""
    mine_right, other_right = both.choice.probabilities()
    takes_mine = both.mine is not None and (both.other is None or mine_right >= other_right)
    chosen, rejected = (both.mine, both.other) if takes_mine else (both.other, both.mine)
    assert chosen is not None
    chosen.confidence = mine_right if takes_mine else other_right
    if takes_mine and both.other is not None and both.choice.agree:
        chosen.locations = chosen.locations or both.other.locations
        chosen.raw_text = chosen.raw_text or both.other.raw_text
        chosen.validation = [*both.other.validation]
    elif rejected is not None:
        chosen.validation = [*chosen.validation, _entry(f"Another reading found {rejected.value!r}")]
    if not takes_mine or chosen.confidence >= least_delivered():
        return chosen
    if both.other is not None:
        both.other.confidence = other_right
        return both.other
    shown = "" if chosen.locations or not must_show(both.field) else ", which no page shows"
    message = f"The language model suggests {chosen.value!r}{shown}"
    return Finding(None, 0.0, validation=[_entry(message, "suggestion")])


def _kept(both: Compared) -> Finding:
    """Return a value that is sure without the model, weighed by what the model says."""
    mine_right, _ = both.choice.probabilities()
    assert both.other is not None
    if both.choice.agree:
        both.other.confidence = agreement(both.other.confidence, mine_right)
    elif both.mine is not None:
        both.other.confidence = disagreement(both.other.confidence, mine_right)
        both.other.validation = [*both.other.validation, _entry(f"Another reading found {both.mine.value!r}")]
    return both.other


def _entry(message: str, rule: str = "second_reading") -> dict[str, str]:
    return {"rule": rule, "message": message[:500]}


def _text(place: Sequence[Location]) -> str | None:
    return " ".join(location.text for location in place) or None


def _rows(table: Field, rows: Sequence[Row], other: Findings, fields: Sequence[Field]) -> TableRows:
    """Return the rows of a table that both readings together have."""
    mine = [cells for row in rows if any((cells := _cells(table, row)).values())]
    others = other.tables.get(table.name, [])
    if not others:
        return mine
    if table.name in failing(fields, other):
        replaced = replace(other, tables={**other.tables, table.name: mine})
        if mine and table.name not in failing(fields, replaced):
            return mine
    for cells, twin in zip(mine, _twins(mine, others), strict=True):
        if twin is not None:
            _mend(twin, cells)
    return others


def _cells(table: Field, row: Row) -> dict[str, Finding]:
    """Return the cells of a row that its line shows, and those that need not be shown."""
    return {
        column.name: Finding(row.values[column.name], _CELL, place, _text(place), "ai")
        for column in table.columns
        if column.name in row.values and ((place := row.places.get(column.name, ())) or not must_show(column))
    }


def _mend(row: dict[str, Finding], mine: Mapping[str, Finding]) -> None:
    """Fill the empty cells of a row, and weigh the others."""
    for name, cell in mine.items():
        found = row.get(name)
        if found is None or found.value is None:
            row[name] = cell
        elif compared(cell.value) == compared(found.value):
            found.confidence = agreement(found.confidence, cell.confidence)
        else:
            found.confidence = disagreement(found.confidence, cell.confidence)
            found.validation = [*found.validation, _entry(f"Another reading found {cell.value!r}")]


def _twins(rows: TableRows, others: TableRows) -> list[dict[str, Finding] | None]:
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
            for name, cell in row.items()
            for index in holders.get((name, compared(cell.value)), ())
            if index not in taken
        )
        best = max(votes, key=lambda index: (votes[index], -index), default=None)
        if best is None or 2 * votes[best] < len(row):
            twins.append(None)
        else:
            taken.add(best)
            twins.append(others[best])
    return twins
