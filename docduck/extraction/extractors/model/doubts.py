"""What is in doubt after a document was read without a model: a model is asked for that."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.extraction.arithmetic import judge
from docduck.extraction.extractor import Findings
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Finding
from docduck.fields import Field, FieldType

_CERTAIN = frozenset({"structured", "user", "lookup"})
_SURE = 0.9
"""The confidence from which a value counts as sure on pages, too."""


def asked_for(fields: Sequence[Field], findings: Findings, options: ExtractOptions) -> list[Field]:
    """Return the fields that a model is asked for: all that are open, or with ``unsure`` those in doubt."""
    open_fields = [
        field
        for field in fields
        if _is_open(field, findings) and (options.tables != "disabled" or field.type is not FieldType.TABLE)
    ]
    if options.ask == "always":
        return open_fields
    doubted = in_doubt(fields, findings)
    return [field for field in open_fields if field.name in doubted]


def in_doubt(fields: Sequence[Field], findings: Findings) -> set[str]:
    """Return the names of the fields that were not found, are less than sure, or fail a check of sums.

    Rows that were found are as good as a model's, so that a table is in doubt without rows or if they don't
    add up.
    """
    unsure = {field.name for field in fields if not _is_sure(field, findings)}
    return unsure | failing(fields, findings)


def failing(fields: Sequence[Field], findings: Findings) -> set[str]:
    """Return the names of the fields and tables with a value that fails a check of sums."""
    data, metadata = findings.as_json(fields)
    return {place[0] for place in judge(fields, data, metadata, findings.extras).problems}


def _is_open(field: Field, findings: Findings) -> bool:
    if field.name in findings.absent:
        return False
    return not any(finding.source in _CERTAIN for finding in _findings(field, findings))


def _is_sure(field: Field, findings: Findings) -> bool:
    least = 0.0 if field.type is FieldType.TABLE else _SURE
    return any(
        finding.value is not None and finding.confidence >= least for finding in _findings(field, findings)
    )


def _findings(field: Field, findings: Findings) -> Sequence[Finding]:
    """Return the finding of a field, or those of a table's cells."""
    if field.type is FieldType.TABLE:
        return [cell for row in findings.tables.get(field.name, []) for cell in row.values()]
    found = findings.scalars.get(field.name)
    return [found] if found is not None else []
