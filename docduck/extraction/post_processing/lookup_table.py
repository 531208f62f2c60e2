"""Lookup tables: CSV files whose rows are found by the values of fields."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

from docduck.errors import InputError
from docduck.extraction.post_processing.field_values import Key, Keying

MOST_COLUMNS = 200
LONGEST_COLUMN = 200
LONGEST_CELL = 10_000
_LONGEST_COMPARED = 200
"""Characters of a text that a fuzzy comparison reads."""

Keyings = tuple[Keying, ...]


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row of a lookup table, and how similar it is: 1 for an exact match."""

    cells: Sequence[str]
    similarity: float


@dataclass(slots=True)
class LookupTable:
    """A table of texts. Indexes are built when first needed; of equal rows the first is found."""

    columns: tuple[str, ...]
    rows: list[list[str]]
    _exact: dict[Keyings, dict[tuple[Key, ...], int]] = field(default_factory=dict)
    _fuzzy: dict[Keyings, list[str]] = field(default_factory=dict)

    def find(self, keyings: Keyings, keys: tuple[Key, ...]) -> FoundRow | None:
        """Return the row with these keys in the columns of ``keyings``."""
        if keyings not in self._exact:
            index: dict[tuple[Key, ...], int] = {}
            for number, row_keys in enumerate(self._keys(keyings)):
                index.setdefault(row_keys, number)
            self._exact[keyings] = index
        row_number = self._exact[keyings].get(keys)
        return None if row_number is None else FoundRow(self.rows[row_number], 1.0)

    def find_similar(self, keyings: Keyings, keys: tuple[Key, ...], lowest: float) -> FoundRow | None:
        """Return the most similar row, whatever the order of words, if it is similar by ``lowest`` (0–1)."""
        if keyings not in self._fuzzy:
            self._fuzzy[keyings] = [_comparable(row_keys) for row_keys in self._keys(keyings)]
        best = process.extractOne(
            _comparable(keys), self._fuzzy[keyings], scorer=fuzz.ratio, score_cutoff=lowest * 100
        )
        return None if best is None else FoundRow(self.rows[best[2]], best[1] / 100)

    def _keys(self, keyings: Keyings) -> Iterator[tuple[Key, ...]]:
        """Yield the keys of each row."""
        places = [(keying, self.columns.index(keying.column)) for keying in keyings]
        for row in self.rows:
            yield tuple(keying.key(row[place]) for keying, place in places)


def parse_table(data: bytes, most_rows: int | None = None) -> LookupTable:
    """Return the table of a CSV file: UTF-8, separated by ``,`` or ``;``, with a header line.

    Raise InputError with the line.
    """
    text = _decoded(data)
    delimiter = max(",;", key=lambda mark: _width(text, mark))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: tuple[str, ...] | None = None
    rows: list[list[str]] = []
    line = 1
    try:
        for cells in reader:
            cells = [cell.strip() for cell in cells]
            if any(len(cell) > LONGEST_CELL for cell in cells):
                raise _wrong(line, f"has a value of more than {LONGEST_CELL} characters")
            if columns is None:
                columns = _header(cells)
            elif cells:
                if len(cells) != len(columns):
                    raise _wrong(line, f"has {len(cells)} values, the header has {len(columns)} columns")
                if most_rows is not None and len(rows) == most_rows:
                    raise _wrong(line, f"is one row too many: a lookup table may have {most_rows}")
                rows.append(cells)
            line = reader.line_num + 1
    except csv.Error as error:
        raise _wrong(line, f"is not valid CSV: {error}") from error
    if columns is None:
        raise InputError("The lookup table is empty: it needs a line with the names of its columns")
    return LookupTable(columns, rows)


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _wrong(data.count(b"\n", 0, error.start) + 1, "is not UTF-8") from error
    if "\0" in text:
        raise _wrong(text.count("\n", 0, text.index("\0")) + 1, "holds a NUL character")
    return text


def _width(text: str, delimiter: str) -> int:
    """Return the number of columns in the header."""
    try:
        return len(next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), ()))
    except csv.Error:
        return 0


def _header(cells: Sequence[str]) -> tuple[str, ...]:
    seen: set[str] = set()
    if len(cells) > MOST_COLUMNS:
        raise _wrong(1, f"names {len(cells)} columns; a lookup table may have {MOST_COLUMNS}")
    for number, name in enumerate(cells, start=1):
        if not name:
            raise _wrong(1, f"has no name for column {number}")
        if len(name) > LONGEST_COLUMN:
            raise _wrong(1, f"has a name of over {LONGEST_COLUMN} characters for column {number}")
        if name.casefold() in seen:
            raise _wrong(1, f"names the column '{name}' twice")
        seen.add(name.casefold())
    if not cells:
        raise _wrong(1, "is empty; it must name the columns")
    return tuple(cells)


def _wrong(line: int, words: str) -> InputError:
    return InputError(f"Line {line} of the lookup table {words}")


def _comparable(keys: Sequence[Key]) -> str:
    words = " ".join(str(key) for key in keys)[:_LONGEST_COMPARED].split()
    return " ".join(sorted(words))
