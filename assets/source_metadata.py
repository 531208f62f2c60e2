"""What taking in from a source tells."""

from __future__ import annotations

from typing import Any

from dagster import MetadataValue

from assets.markdown import bullets, table
from docduck.service.sources.intake import IntakeReport


def intake_metadata(report: IntakeReport) -> dict[str, Any]:
    """Numbers that the UI plots, the share of each parser, and what can't be taken and why."""
    metadata: dict[str, Any] = {
        "registered": MetadataValue.int(report.registered),
        "duplicates": MetadataValue.int(report.duplicates),
        "waiting": MetadataValue.int(report.waiting),
        "refused": MetadataValue.int(report.refused),
        "unreadable": MetadataValue.int(report.unreadable),
        "vanished": MetadataValue.int(report.vanished),
    }
    if report.by_parser:
        rows = [{"parser": slug, "documents": count} for slug, count in report.by_parser.items()]
        metadata["by_parser"] = MetadataValue.md(table(rows, ["parser", "documents"]))
    if report.messages:
        metadata["messages"] = MetadataValue.md(bullets(report.messages))
    return metadata
