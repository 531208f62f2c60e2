"""Metadata of a table's materialisation: numbers that the UI plots, and a preview of the rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dagster import MetadataValue

from dagster_docduck.assets.column_changes import COLUMN_SCHEMA
from dagster_docduck.assets.markdown import bullets
from dagster_docduck.assets.parser_tables import COLUMN_LINEAGE
from dagster_docduck.assets.preview import preview
from dagster_docduck.assets.table_specs import TableAsset
from docduck.errors import DocduckError
from docduck.service.core.installation import Installation
from docduck.service.processing.run_report import RunReport
from docduck.service.reviews.waiting import review_queue
from docduck.warehouse.names import DOCUMENTS, quoted

PREVIEW_ROWS = 10

Metadata = dict[str, Any]


def table_metadata(
    inst: Installation,
    asset: TableAsset,
    report: RunReport,
    counts: Mapping[str, Mapping[str, int]],
) -> Metadata:
    """Return the metadata of a table after a run; ``counts`` are numbers of rows by schema and table."""
    total = counts.get(asset.parser.slug, {}).get(asset.table, 0)
    shared: Metadata = {
        "dagster/row_count": MetadataValue.int(total),
        "seconds": MetadataValue.float(round(report.seconds, 3)),
        COLUMN_SCHEMA: asset.spec.metadata[COLUMN_SCHEMA],
    }
    if asset.table != DOCUMENTS:
        rows = {
            "rows": MetadataValue.int(report.rows.get(asset.table, 0)),
            COLUMN_LINEAGE: asset.spec.metadata[COLUMN_LINEAGE],
        }
        return shared | rows | preview(_last_rows(inst, asset))
    counted = ("documents", "processed", "failed", "in_review", "skipped", "pages", "written")
    numbers: Metadata = {name: MetadataValue.int(getattr(report, name)) for name in counted}
    numbers["rows"] = MetadataValue.int(sum(report.rows.values()))
    numbers["pages_per_second"] = MetadataValue.float(round(report.pages_per_second, 3))
    queue = review_queue(inst, asset.parser.id)
    numbers["waiting_for_review"] = MetadataValue.int(queue.documents)
    if queue.longest is not None:
        numbers["longest_wait"] = MetadataValue.timestamp(queue.longest)
    if report.confidence is not None:
        numbers["mean_confidence"] = MetadataValue.float(round(report.confidence, 4))
    if report.errors:
        lines = (f"{count} × {message}" for message, count in report.errors.items())
        numbers["errors"] = MetadataValue.md(bullets(lines))
    return shared | numbers | preview(report.preview)


def _last_rows(inst: Installation, asset: TableAsset) -> list[dict[str, Any]]:
    rows, documents = quoted(asset.parser.slug, asset.table), quoted(asset.parser.slug, DOCUMENTS)
    try:
        answer = inst.warehouse.query(
            f"SELECT d.name AS document, t.* EXCLUDE (document_id) FROM {rows} t"
            f" JOIN {documents} d USING (document_id)"
            " ORDER BY d.processed_at DESC, document_id, t.row_number",
            limit=PREVIEW_ROWS,
        )
    except DocduckError:
        return []
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
