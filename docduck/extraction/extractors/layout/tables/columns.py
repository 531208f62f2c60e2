"""Which column of a field each head is of: by its words, its values, its place, and by arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docduck.extraction.extractors.layout.labelled.name_match import alike
from docduck.extraction.extractors.layout.tables.bands import Cells
from docduck.extraction.extractors.layout.tables.cells import TableContext
from docduck.extraction.extractors.layout.tables.column_fit import (
    assigned,
    column_fit,
    is_percentage,
    is_priced,
    is_rate,
)
from docduck.extraction.extractors.layout.tables.headers import HeadCell, Header
from docduck.extraction.extractors.layout.tables.products import ANCHORS, numbers_of, with_products
from docduck.extraction.extractors.layout.tables.taxes import TaxColumns, are_taxes, tax_columns
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.meanings import likeness
from docduck.extraction.fields.terms import terms
from docduck.extraction.lexicon import concepts
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import Token, text_of
from docduck.extraction.values.directions import names_directions
from docduck.fields import NUMERIC, FieldType

_FIT = 0.35
"""Weight of fitting values relative to a fitting head (1.0)."""
_UNFIT = 0.4
"""Factor for a head whose values are none of the column's type."""
_NUMBERS = 0.6
"""Factor for a head of descriptions whose values are numbers."""
_TITLE, _SHARED = 0.6, 0.8
"""Score of a head that is the table's name, and the factor for a head of the same meaning."""
_WORD, _LONG = 0.5, 3
"""Score of a head with a word that only this column's name has, and length of words that don't count."""
_ALL_WORDS = 0.65
"""Score of a head with all words of a column's name, or forms and abbreviations of them."""
_SHORT = 0.55
"""Score of a head that abbreviates a column's name."""
_MEANT = 0.45
"""Likeness of the meaning of a head and of a column's name from which it counts."""
_ALONE = 0.75
"""Share of fitting values from which they identify a column without its name."""
_ORDERED = 0.5
"""Share of fitting values from which a column's place alone is enough."""
_SURE = 0.4
"""Certainty of a header from which its columns may have unknown heads alone."""
_NEAR = 0.08
"""What nearness to the other columns adds at most."""
_LEAST = 0.3
"""Least score of a head by its words."""
_SURELY = 0.9
"""Score of a head by its words from which it is believed, whatever its numbers add up to."""
_OWN = 0.1
"""What a column's own name adds to its other labels."""


@dataclass(frozen=True, eq=False)
class Match:
    """The columns of a field in a header, by the index of the cell, and how well they fit, 0–1 a column."""

    header: Header
    columns: Mapping[int, FieldQuery]
    score: float
    named: int


def match_columns(
    header: Header, query: FieldQuery, lines: Sequence[Cells], context: TableContext, taken: set[int]
) -> Match | None:
    """Return the columns of the table ``query`` in a header, None if these are few and not all of its heads.

    ``lines`` are some lines below; cells with a token in ``taken`` belong to other tables.
    """
    samples = [[line[i] for line in lines if i in line] for i in range(len(header.cells))]
    free = [i for i, cell in enumerate(header.cells) if not any(id(t) in taken for t in cell.own)]
    fits = {
        (i, c.name): column_fit(c, samples[i], context) if samples[i] else 0.5
        for i in free
        for c in query.columns
    }
    names = {(i, c.name): _named(header.cells[i], c, query) for i in free for c in query.columns}
    numbers = [numbers_of(line, context) for line in lines]
    taxed = tax_columns(numbers)
    for pair in _ruled_out(query, samples, names, numbers, taxed):
        fits[pair] = names[pair] = 0.0
    for pair in names:
        if not fits[pair] and names_directions(text_of(header.cells[pair[0]].tokens)):
            names[pair] = 0.0
    chosen: dict[int, FieldQuery] = {}
    score, named = 0.0, 0
    while True:
        best: tuple[float, int, FieldQuery] | None = None
        for order, column in enumerate(query.columns):
            if any(query is column for query in chosen.values()):
                continue
            for i in free:
                weight, fit = names[i, column.name], fits[i, column.name]
                if i in chosen or weight < _LEAST or (weight == _TITLE and fit < _ORDERED):
                    continue
                if weight == _WORD and not chosen:
                    continue
                if weight < _WORD and concept_of(column) in ANCHORS:
                    continue
                if weight < _SURELY and fit < _ORDERED and concept_of(column) == "sku":
                    continue
                weight *= _factor(column, fit)
                if weight < _LEAST and fit:
                    continue
                total = weight + _FIT * fit
                total += _closeness(i, order, chosen, query) + _OWN * _is_own(header.cells[i], column)
                if best is None or total > best[0] + 1e-9:
                    best = (total, i, column)
        if best is None or best[0] < _LEAST:
            break
        chosen[best[1]] = best[2]
        score += min(best[0], 1.0)
        named += 1
    if not chosen:
        return _unnamed(header, query, free, fits)
    items = [i for i in free if not _is_position(header.cells[i])]
    places = [i for i in free if i in chosen or i in items]
    chosen = _whole(chosen, places, fits, query, header) or _closest(chosen, free, names, fits, query)
    by_name = {
        i: {at for at in free if names[at, column.name] >= _SURELY} | {i} for i, column in chosen.items()
    }
    for i, own in by_name.items():
        if taxed is not None and i in (taxed.net, taxed.gross):
            own.update((taxed.net, taxed.gross))
    more = _by_values(query, free, chosen, fits, header)
    score += 0.5 * len(more)
    chosen.update(more)
    factors = [i for i in items if taxed is None or i != taxed.tax]
    chosen = with_products(chosen, by_name, query, factors, lines, context)
    unknown = [i for i in places if i not in chosen and (taxed is None or not taxed.has(i))]
    sure = {
        column.type in NUMERIC
        for i, column in chosen.items()
        if column.kind != "identifier"
        and names[i, column.name] >= _SURELY
        and fits[i, column.name] >= _ORDERED
    }
    enough = 2 * len(chosen) >= len(query.columns) or not unknown or len(sure) > 1
    if not enough or len(chosen) < min(2, len(query.columns)):
        return None
    return Match(header, dict(sorted(chosen.items())), score / len(query.columns), named)


def _unnamed(
    header: Header, query: FieldQuery, free: Sequence[int], fits: Mapping[tuple[int, str], float]
) -> Match | None:
    """Return the columns of a header whose words are unknown, by their values and in the field's order."""
    places = [i for i in free if not _is_position(header.cells[i])]
    weights = [[fits[i, c.name] for c in query.columns] for i in places]
    if header.certainty < _SURE or not places:
        return None
    total, chosen = assigned([[w if w >= _ORDERED else 0.0 for w in row] for row in weights])
    columns = {places[at]: query.columns[i] for i, at in chosen.items()}
    if 2 * len(columns) < len(query.columns) or len(columns) < 2:
        return None
    if all(column.type is FieldType.TEXT for column in columns.values()):
        return None
    return Match(header, dict(sorted(columns.items())), _ORDERED * total / len(query.columns), 0)


def _factor(column: FieldQuery, fit: float) -> float:
    """Return the factor for a head's words by how well the values below fit its column."""
    if fit == 0.0:
        return _UNFIT
    return _NUMBERS if concept_of(column) == "description" and fit < _ORDERED else 1.0


def _whole(
    chosen: Mapping[int, FieldQuery],
    free: Sequence[int],
    fits: Mapping[tuple[int, str], float],
    query: FieldQuery,
    header: Header,
) -> dict[int, FieldQuery]:
    """Return the columns in the field's order if there is a head for each, of fitting values.

    Return none if most of the columns that are named are elsewhere, or one by its own name.
    """
    if len(free) != len(query.columns):
        return {}
    ordered = dict(zip(free, query.columns, strict=True))
    elsewhere = [(i, column) for i, column in chosen.items() if ordered.get(i) is not column]
    if any(_is_own(header.cells[i], column) for i, column in elsewhere):
        return {}
    if 2 * len(elsewhere) >= len(chosen) or any(fits[i, c.name] < _ORDERED for i, c in ordered.items()):
        return {}
    return ordered


def _closest(
    chosen: Mapping[int, FieldQuery],
    free: Sequence[int],
    names: Mapping[tuple[int, str], float],
    fits: Mapping[tuple[int, str], float],
    query: FieldQuery,
) -> dict[int, FieldQuery]:
    """Return ``chosen`` with each column moved to the closest of the heads that name it and fit equally."""
    moved = dict(chosen)
    for order, column in enumerate(query.columns):
        here = next((i for i, c in moved.items() if c is column), None)
        if here is None:
            continue
        others = {i: c for i, c in moved.items() if i != here}
        equal = [
            i
            for i in free
            if i not in others
            and names[i, column.name] == names[here, column.name]
            and fits[i, column.name] >= fits[here, column.name]
        ]
        del moved[here]
        moved[max(equal, key=lambda i: _closeness(i, order, others, query))] = column
    return moved


def _closeness(index: int, order: int, chosen: Mapping[int, FieldQuery], query: FieldQuery) -> float:
    """Return what a cell's place adds: near the others, and in the order of the field's columns."""
    if not chosen:
        return 0.0
    orders = {c.name: at for at, c in enumerate(query.columns)}
    gaps = [abs((index - i) - (order - orders[c.name])) for i, c in chosen.items()]
    return _NEAR / (1 + min(gaps))


def _by_values(
    query: FieldQuery,
    free: Sequence[int],
    chosen: Mapping[int, FieldQuery],
    fits: Mapping[tuple[int, str], float],
    header: Header,
) -> dict[int, FieldQuery]:
    """Return columns for heads of unknown words between those of their neighbours, by their values."""
    free = [i for i in free if not _is_position(header.cells[i])]
    queries = in_order(query, free, chosen, fits, header)
    places = {c.name: i for i, c in (*chosen.items(), *queries.items())}
    for order, column in enumerate(query.columns):
        if column.name in places or (concept_of(column) == "unit" and not _has(query, places, "quantity")):
            continue
        before = [places[c.name] for c in query.columns[:order] if c.name in places]
        after = [places[c.name] for c in query.columns[order + 1 :] if c.name in places]
        low, high = max(before, default=-1), min(after, default=len(header.cells))
        some = [
            i
            for i in free
            if i not in chosen
            and i not in queries
            and (low < i < high or low >= high)
            and fits[i, column.name] >= _ALONE
            and not _is_other(header.cells[i], column, query, places)
        ]
        if some:
            is_total = not after and concept_of(column) in ANCHORS
            index = some[0] if (before or not after) and not is_total else some[-1]
            queries[index] = column
            places[column.name] = index
    return queries


def _has(query: FieldQuery, places: Mapping[str, int], concept: str) -> bool:
    """Return whether a column of a concept has a place."""
    return any(concept_of(column) == concept and column.name in places for column in query.columns)


def concept_of(column: FieldQuery) -> str | None:
    """Return the name of a column's concept, None if it has none."""
    return column.concept.name if column.concept is not None else None


def _is_position(cell: HeadCell) -> bool:
    """Return whether a head is that of running numbers."""
    labels = concepts("columns")["position"].labels
    return any(key(text_of(tokens)) in labels for tokens in (cell.tokens, cell.own))


def in_order(
    query: FieldQuery,
    free: Sequence[int],
    chosen: Mapping[int, FieldQuery],
    fits: Mapping[tuple[int, str], float],
    header: Header,
) -> dict[int, FieldQuery]:
    """Return columns for the heads between two chosen ones, if there are exactly as many of both."""
    queries: dict[int, FieldQuery] = {}
    places = {c.name: i for i, c in chosen.items()}
    missing: list[FieldQuery] = []
    start = -1
    for column in (*query.columns, None):
        if column is not None and column.name not in places:
            missing.append(column)
            continue
        end = places[column.name] if column is not None else max(free, default=0) + 1
        between = [i for i in free if start < i < end and i not in chosen]
        if missing and len(between) == len(missing):
            pairs = list(zip(between, missing, strict=True))
            if all(
                fits[i, c.name] >= _ORDERED and not _is_other(header.cells[i], c, query, places)
                for i, c in pairs
            ):
                queries.update(pairs)
        missing, start = [], end
    return queries


def _is_other(cell: HeadCell, column: FieldQuery, query: FieldQuery, places: Mapping[str, int]) -> bool:
    """Return whether a head's words are known as those of another column than ``column``.

    A column of codes may have the second of two heads for a column in ``places`` ("Article", "Description").
    """
    own, forms = concept_of(column), cell.forms
    placed = [c for c in query.columns if c.name in places and column.kind == "identifier"]
    if any(
        c is not column and c not in placed and c.weight(form) > 0 for c in query.columns for form in forms
    ):
        return True
    known = {c.name for c in concepts("columns").values() for form in forms if form in c.labels}
    known -= {concept_of(c) for c in placed}
    return bool(known) and own is not None and own not in known


def _worded(cell: HeadCell, column: FieldQuery, query: FieldQuery) -> float:
    """Return how well a head has the words of a column's name, or forms and abbreviations of them."""
    text = text_of(cell.tokens)
    head, name = terms(text), terms(column.name)
    short = frozenset(key(word) for word in text.split() if word.endswith("."))
    if name and all(any(alike(term, head_term, short) for head_term in head) for term in name):
        return _ALL_WORDS
    others = {word for c in query.columns if c is not column for word in c.words}
    own = {word for word in column.words if len(word) > _LONG} - others
    return _WORD if own & {t.key for t in cell.tokens} else 0.0


def _is_short(form: str, column: FieldQuery) -> bool:
    """Return whether a head is the beginning of a column's name or of its label."""
    names = (phrase.text for phrase in (column.title, *column.labels))
    return len(form) > 1 and any(key(name).startswith(form) for name in names)


def _is_own(cell: HeadCell, column: FieldQuery) -> bool:
    """Return whether a head is a column's name itself."""
    return column.title.key in cell.forms


def _ruled_out(
    query: FieldQuery,
    samples: Sequence[Sequence[Sequence[Token]]],
    names: Mapping[tuple[int, str], float],
    rows: Sequence[Mapping[int, Decimal]],
    taxed: TaxColumns | None,
) -> Iterator[tuple[int, str]]:
    """Yield the cells and columns that the numbers rule out: rates, taxes and gross amounts."""
    for column in query.columns:
        for i, cells in enumerate(samples):
            if (i, column.name) not in names:
                continue
            called = names[i, column.name] >= _SURELY
            if column.type is FieldType.CURRENCY and cells and all(map(is_percentage, cells)):
                yield i, column.name
            elif is_rate(column):
                is_money = 2 * sum(map(is_priced, cells)) > len(cells) or are_taxes(rows, i)
                if is_money or (taxed is not None and taxed.has(i)):
                    yield i, column.name
            elif taxed is not None and taxed.excludes(concept_of(column), i, called):
                yield i, column.name


def _named(cell: HeadCell, column: FieldQuery, query: FieldQuery) -> float:
    """Return how well, 0–1, a head's words name a column."""
    forms = cell.forms
    weight = max((column.weight(form) for form in forms), default=0.0)
    texts = dict.fromkeys(text_of(tokens) for tokens in (cell.tokens, cell.own) if tokens)
    for phrase in (column.title, *column.labels):
        alike = max((likeness(phrase.text, text) for text in texts), default=0.0)
        if alike >= _MEANT and (not _is_position(cell) or concept_of(column) == "position"):
            weight = max(weight, _SHARED * alike)
    if not _is_position(cell):
        if any(_is_short(form, column) for form in forms):
            weight = max(weight, _SHORT)
        weight = max(weight, _worded(cell, column, query))
    is_text = column.type is FieldType.TEXT and column is next(
        (c for c in query.columns if c.type is FieldType.TEXT), None
    )
    if weight < _TITLE and is_text and any(form in query.keys for form in forms):
        weight = _TITLE
    return weight
