"""What the published tables show of documents, compared with the catalog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from docduck.catalog.models import Document
from tests.benchmarks.figures import Figure
from tests.system import truth
from tests.system.docduck import Docduck


def rows_off(docduck: Docduck, slugs: Iterable[str], documents: Iterable[Document]) -> Figure:
    """Return how many rows of ``documents`` are missing, doubled or of another status."""
    shown = Counter(
        row for slug in slugs for row in docduck.query(f"SELECT document_id, status FROM {slug}.documents")
    )
    shown.subtract((row.id, row.status) for row in documents)
    return Figure("documents' rows lost or doubled", sum(map(abs, shown.values())), "", 0)


def changed_by_a_rebuild(docduck: Docduck) -> Figure:
    """Return how many tables are others after they were made anew."""
    before = truth.tables(docduck)
    docduck.command("warehouse", "rebuild")
    after = truth.tables(docduck)
    changed = sum(before.get(name) != after.get(name) for name in before.keys() | after.keys())
    return Figure("tables changed by a rebuild", changed, "", 0)
