"""Exports that follow each run of their parser."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from assets.project import refers_to
from docduck.errors import DocduckError
from docduck.service.core.installation import Installation
from docduck.service.outputs.folder_exports import ExportView, export_by_spec
from docduck.service.parsers.parsers import ParserView
from docduck.service.pipeline.pipeline_spec import ExportSpec
from docduck.service.processing.run_report import RunReport


def export_after_run(
    inst: Installation,
    exports: Sequence[ExportSpec],
    parser: ParserView,
    report: RunReport,
    log: logging.Logger,
) -> list[ExportView]:
    """Write the parser's exports with ``after: each run`` if the run processed documents of it.

    Log an export that can't be written; the run does not fail.
    """
    done: list[ExportView] = []
    due = [one for one in exports if one.after_each_run and refers_to(one.parser, parser)]
    for export in due if report.documents else ():
        try:
            view = export_by_spec(inst, parser.team_id, parser.id, export, actor="run")
            if view.path is not None:
                done.append(view)
            for warning in view.warnings:
                log.warning("Export '%s': %s", export.name, warning)
        except (DocduckError, OSError) as error:
            log.error("Export '%s' was not written: %s", export.name, error)
    return done
