"""What an export holds, or will hold: its first rows."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docduck.exports import ExportPlan, write
from docduck.exports.csv_file import csv_cell
from docduck.exports.preview import Preview, SheetPreview, first_rows
from docduck.service.conditions import Effort
from docduck.service.conditions.work_limits import SEARCH_SECONDS
from docduck.service.core.installation import Installation
from docduck.service.outputs.exporting import ExportRequest, prepare, read_documents
from docduck.service.outputs.selection import select_ids
from docduck.service.parsers.parsers import find

_ROWS, _NESTED = 20, 2
_MOST_TEXT = 10_000


@dataclass(frozen=True, slots=True)
class ExportPreview:
    """The beginning of an export: sheets, or for nested documents the text of the file."""

    documents: int
    sheets: Sequence[SheetPreview]
    text: str | None
    warnings: Sequence[str]


def preview_export(
    inst: Installation, team_id: str, parser_ref: str, request: ExportRequest
) -> ExportPreview:
    """Return the beginning of an export of a parser's documents; raise what ``write_export`` raises."""
    prepared = prepare(inst, team_id, parser_ref, request)
    plan = prepared.plan
    effort = Effort(SEARCH_SECONDS)
    with inst.catalog.read_session() as session:
        parser = find(session, team_id, prepared.parser.id)
        selected = select_ids(session, parser, request.selection, effort=effort)
        first = selected.ids[: _NESTED if plan.scope is None else _ROWS]
        documents = list(read_documents(session, parser, first))
    if plan.scope is None:
        target = io.BytesIO()
        write(target, documents, plan)
        text = target.getvalue().decode(errors="replace")[:_MOST_TEXT]
        return ExportPreview(len(selected.ids), (), text, prepared.warnings)
    shown = first_rows(documents, plan, math.inf, math.inf, csv_cell).sheets
    cut = [replace(sheet, rows=sheet.rows[:_ROWS]) for sheet in shown]
    return ExportPreview(len(selected.ids), cut, None, prepared.warnings)


def preview_written(
    inst: Installation,
    team_id: str,
    parser_ref: str,
    plan: ExportPlan,
    ids: Sequence[str],
    most_rows: int,
    most_bytes: int,
) -> Preview:
    """Return the first rows of an export of these documents, which are in its order; raise NotFound."""
    with inst.catalog.read_session() as session:
        parser = find(session, team_id, parser_ref)
        documents = read_documents(session, parser, ids, step=max(1, most_rows))
        return first_rows(documents, plan, most_rows, most_bytes)
