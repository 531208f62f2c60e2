"""The layout extractor: reads values from the page by type, label, geometry and arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from docduck.documents.document import Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.layout.amounts.further_terms import numbers_beside, unnamed_amounts
from docduck.extraction.extractors.layout.amounts.printed_sums import printed_sum, rows_of
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.choice_fields import marked_option
from docduck.extraction.extractors.layout.chooser import Chooser
from docduck.extraction.extractors.layout.labelled.labelled_fields import LabelledFields
from docduck.extraction.extractors.layout.tables.cells import TableContext
from docduck.extraction.extractors.layout.tables.table_finder import locate_tables, read_rows
from docduck.extraction.extractors.layout.typed_fields import TypedFields
from docduck.extraction.extractors.layout.typed_values import TYPED_KINDS
from docduck.extraction.extractors.layout.untyped_values import UntypedValueFinder
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Extras, Finding
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.numbers import as_json_number
from docduck.fields import FieldType


class LayoutExtractor:
    """Finds fields of every type by the words of the page and their positions."""

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return findings for all fields that the pages show."""
        scalars = [query for query in queries if query.type is not FieldType.TABLE]
        analysis = DocumentAnalysis(document, scalars, options)
        findings = Findings()
        tables = [query for query in queries if query.type is FieldType.TABLE]
        printed = printed_sum(analysis)
        for index in analysis.label_indexes:
            index.sums = rows_of(printed, index.page)
        located = locate_tables(analysis, tables) if options.tables != "disabled" else {}
        labelled = LabelledFields(analysis, scalars)
        findings.scalars.update(labelled.sure())
        scalars = [query for query in scalars if query.name not in findings.scalars]
        typed = [target for target in scalars if target.kind in TYPED_KINDS]
        typed_fields = TypedFields(analysis, typed, printed)
        assigned = typed_fields.findings()
        findings.scalars.update(assigned)
        for name, total in labelled.totals(typed_fields.unsettled).items():
            if name not in assigned or assigned[name].value != total.value:
                findings.scalars[name] = total
        for target in (query for query in scalars if query.type is FieldType.CHOICE):
            ticked, has_boxes = marked_option(analysis, target)
            if ticked is not None:
                findings.scalars[target.name] = ticked
            elif has_boxes:
                findings.absent.add(target.name)
        still = {query.name for query in scalars} - findings.scalars.keys() - findings.absent
        findings.scalars.update(labelled.others(still))
        untyped = UntypedValueFinder(analysis, scalars)
        open_ = [target for target in scalars if target.name in still]
        _update(findings, open_, untyped.find)
        findings.scalars.update(labelled.parties(still - findings.scalars.keys()))
        _update(findings, open_, untyped.unlabelled)
        context = TableContext(analysis.locale, *_span(queries, findings, analysis.locale.day_first))
        for name, (table, parts) in located.items():
            findings.tables[name] = read_rows(parts, table, context)
        cells = (cell for rows in findings.tables.values() for row in rows for cell in row.values())
        findings.extras = Extras(
            tuple(map(as_json_number, typed_fields.finder.extras)) if typed_fields.totals else (),
            unnamed_amounts(analysis, typed_fields.totals),
            numbers_beside(analysis, cells),
        )
        findings.chooser = Chooser(analysis, labelled.places, typed_fields, queries)
        return findings


def _update(
    findings: Findings, targets: Sequence[FieldQuery], find: Callable[[FieldQuery], Finding | None]
) -> None:
    """Add what is found of the targets that nothing has answered, one after the other."""
    for target in targets:
        if target.name not in findings.scalars and (finding := find(target)):
            findings.scalars[target.name] = finding


def _span(
    queries: Sequence[FieldQuery], findings: Findings, day_first: bool
) -> tuple[date | None, date | None]:
    """Return the first and last day that the document covers, from its period, its date, or its last one."""
    dates = {}
    for query in queries:
        if query.kind == "date" and query.name in findings.scalars:
            for printed in find_dates(str(findings.scalars[query.name].value))[:1]:
                dates[query.concept.name if query.concept else query.name] = printed.read(day_first)
    end = dates.get("period_end") or dates.get("invoice_date") or max(dates.values(), default=None)
    return dates.get("period_start"), end
