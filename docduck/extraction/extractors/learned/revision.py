"""Revision of found values by learned layouts: known mistakes, constants, rows that are none, sure values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docduck.documents.document import Box, Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.learned import constants, spans
from docduck.extraction.extractors.learned.agreement import clusters_of
from docduck.extraction.extractors.learned.confirmation import confirmed_rows, confirmed_value
from docduck.extraction.extractors.learned.fitting import PlaceFit, shapes_alike
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.learned_layout import LearnedLayout, Mistake, PrintedPlace, field_identity
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageViews, Token, text_of, views_of
from docduck.extraction.result import Finding
from docduck.fields import Field, FieldType

_SAME_PLACE, _SAME_SHAPE = 0.75, 0.5
_OWN_LABEL = 0.95
"""Minimum weight of a label that names the field itself."""


def revise(
    document: Document, fields: Sequence[Field], findings: Findings, layouts: Sequence[LearnedLayout]
) -> None:
    """Correct ``findings`` by ``layouts`` of the document's fingerprint.

    A value read where a person cleared one is removed. It stays if its own label announces it, unless it is
    the text that was cleared, or if another document has its value there. Constants fill empty fields and
    replace known mistakes. A row of a table that is nothing but the value of a learned position and the words
    that announce it is removed. What stands where documents of the look had the right values is surer.
    """
    if not layouts:
        return
    view, clusters = views_of(document), clusters_of(layouts)
    learned: list[Finding] = []
    for field in fields:
        if field.type is FieldType.TABLE:
            if field.name in findings.tables:
                findings.tables[field.name] = confirmed_rows(field, findings.tables[field.name], layouts)
            continue
        name, finding = field_identity(field), findings.scalars.get(field.name)
        if finding is not None and _is_cleared(view, field, finding, layouts):
            del findings.scalars[field.name]
            finding = None
        constant = constants.established(field, layouts)
        if constant is not None and (finding is None or _is_mistake(view, finding, constant)):
            findings.scalars[field.name] = Finding(
                constant.value, constant.confidence, source="learned", learned_from=constant.document_id
            )
            continue
        if finding is None:
            continue
        finding = confirmed_value(view, field, finding, _lines(view, finding), clusters)
        findings.scalars[field.name] = finding
        if any(
            layout.teaches and name in layout.places and _is_at(view, finding, layout.places[name])
            for layout in layouts
        ):
            learned.append(finding)
    values = [(_boxes(finding), _announcing(view, finding)) for finding in learned]
    for table, rows in findings.tables.items():
        findings.tables[table] = [
            row for row in rows if not any(_is_only(row, boxes, words) for boxes, words in values)
        ]


def _is_mistake(view: PageViews, finding: Finding, constant: constants.Constant) -> bool:
    return constant.replaces(key(str(finding.value)), _at(view, finding, constant.mistakes))


def _is_cleared(view: PageViews, field: Field, finding: Finding, layouts: Sequence[LearnedLayout]) -> bool:
    name = field_identity(field)
    clearing = [layout for layout in layouts if name in layout.mistakes and layout.mistakes[name].cleared]
    here = _at(view, finding, [layout.mistakes[name] for layout in clearing])
    if not here:
        return False
    newest = max(layout.taught_at(name) for layout in clearing)
    known = [
        layout.places[name]
        for layout in layouts
        if name in layout.places and layout.taught_at(name) >= newest
    ]
    if any(_is_at(view, finding, place) for place in known):
        return False
    same = any(mistake.text == key(str(finding.value)) for mistake in here)
    return same or not _has_own_label(view, field, finding)


def _at(view: PageViews, finding: Finding, mistakes: Sequence[Mistake]) -> list[Mistake]:
    """Return those of ``mistakes`` that were read at the position of ``finding``."""
    return [
        mistake for mistake in mistakes if mistake.place is not None and _is_at(view, finding, mistake.place)
    ]


def _is_at(view: PageViews, finding: Finding, place: PrintedPlace) -> bool:
    page = spans.page_of(place, view.pages)
    lines = _lines(view, finding)
    if page is None or not lines or lines[0][0].segment.page is not page:
        return False
    tokens = [token for line in lines for token in line]
    text = text_of(tokens)
    if shapes_alike(spans.shape(text), place.shape) < _SAME_SHAPE:
        return False
    return PlaceFit(page, place).fit(tokens, text) >= _SAME_PLACE


def _has_own_label(view: PageViews, field: Field, finding: Finding) -> bool:
    place = spans.describe(view, _lines(view, finding))
    if place is None:
        return False
    target = query_of(field)
    return any(target.weight(form) >= _OWN_LABEL for form in (place.before, place.beside, place.above))


def _lines(view: PageViews, finding: Finding) -> list[Sequence[Token]]:
    return spans.tokens_at(view, finding.locations) if finding.locations else []


def _announcing(view: PageViews, finding: Finding) -> str:
    """Return the words before or beside a finding, in normal form."""
    lines = _lines(view, finding)
    place = spans.describe(view, lines) if lines else None
    return "" if place is None else place.before or place.beside


def _is_only(row: Mapping[str, Finding], boxes: set[tuple[int, Box]], words: str) -> bool:
    """Return whether a row is nothing but a value at ``boxes`` and the ``words`` that announce it."""
    cells = [cell for cell in row.values() if cell.locations]
    others = [cell for cell in cells if not boxes & _boxes(cell)]
    return len(others) < len(cells) and all(key(cell.raw_text or "") == words for cell in others)


def _boxes(finding: Finding) -> set[tuple[int, Box]]:
    return {(place.page, place.box) for place in finding.locations}
