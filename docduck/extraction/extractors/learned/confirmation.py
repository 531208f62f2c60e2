"""Values that are read where other documents of the look had the right ones are surer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from docduck.extraction.extractors.learned import spans
from docduck.extraction.extractors.learned.agreement import (
    LayoutCluster,
    agree,
    most_confidence,
    taught_places,
)
from docduck.extraction.extractors.learned.fitting import PlaceFit
from docduck.extraction.learned_layout import LearnedLayout, PrintedPlace, field_identity
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageViews, Token, ocr_score
from docduck.extraction.result import Finding
from docduck.fields import Field


def confirmed_value(
    view: PageViews,
    field: Field,
    finding: Finding,
    lines: Sequence[Sequence[Token]],
    clusters: Sequence[LayoutCluster],
) -> Finding:
    """Return a finding, surer if its value stands, in ``lines``, where documents of the look have theirs.

    One that stands nowhere must be the value of all of them.
    """
    name = field_identity(field)
    place = spans.describe(view, lines) if lines else None
    if place is None:
        count = max((_same(name, finding, cluster) for cluster in clusters), default=0)
    else:
        count = max((_agreeing(view, name, place, cluster) for cluster in clusters), default=0)
    ocr = ocr_score(token for line in lines for token in line)
    return _surer(finding, most_confidence(count) * ocr)


def confirmed_rows(
    table: Field, rows: Sequence[Mapping[str, Finding]], layouts: Sequence[LearnedLayout]
) -> list[dict[str, Finding]]:
    """Return the rows of a table; cells of columns that were right as read on others of the look are surer.

    Documents on which a cell of the column was corrected count against those on which none was.
    """
    name = field_identity(table)
    known = [
        layout.right_columns[name] for layout in layouts if layout.approved and name in layout.right_columns
    ]
    shares = {}
    for column in table.columns:
        count = 2 * sum(field_identity(column) in columns for columns in known) - len(known)
        shares[column.name] = most_confidence(max(count, 0))
    return [{column: _surer(cell, shares.get(column, 0.0)) for column, cell in row.items()} for row in rows]


def is_announced(view: PageViews, place: PrintedPlace) -> bool:
    """Return whether the words that announce a learned position are on its page."""
    page = spans.page_of(place, view.pages)
    return page is not None and PlaceFit(page, place).is_announced


def _agreeing(view: PageViews, name: str, place: PrintedPlace, cluster: LayoutCluster) -> int:
    """Return on how many documents of a look the value is at a place, in as many lines.

    0 if newer corrections have another place.
    """
    newest = next((taught for taught in taught_places(name, [cluster]) if agree(place, taught.place)), None)
    if newest is None or any(is_announced(view, rival) for rival in newest.rivals()):
        return 0
    return sum(
        layout.confirms(name)
        and (known := layout.places.get(name)) is not None
        and known.lines == place.lines
        and agree(place, known)
        for layout in cluster
    )


def _same(name: str, finding: Finding, cluster: LayoutCluster) -> int:
    """Return on how many documents of a look a value is known that is this one; 0 if another is."""
    known = [
        key(str(layout.values[name])) for layout in cluster if layout.confirms(name) and name in layout.values
    ]
    return len(known) if set(known) == {key(str(finding.value))} else 0


def _surer(finding: Finding, confidence: float) -> Finding:
    return replace(finding, confidence=confidence) if confidence > finding.confidence else finding
