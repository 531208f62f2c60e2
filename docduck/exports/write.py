"""Writing documents to one file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import BinaryIO

from docduck.errors import DocduckError, PluginFailed
from docduck.exports.model import ChosenColumn, ExportDocument, Format, Scope, Written
from docduck.exports.plan import ExportPlan, export_format, registered_formats, resolve
from docduck.fields import Field
from docduck.plugins import OWN_PACKAGE


def write(
    target: BinaryIO,
    documents: Iterable[ExportDocument],
    fields: Sequence[Field],
    format: Format | str = Format.JSON,
    scope: Scope | str | None = None,
    table_name: str | None = None,
    columns: Sequence[ChosenColumn] | None = None,
) -> Written:
    """Write ``documents`` to ``target``; raise the errors of ``resolve``."""
    return write_plan(target, documents, resolve(format, scope, table_name, fields, columns))


def write_plan(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write ``documents`` to ``target`` by a plan returned by ``resolve``.

    Raise Transient if it can't be written, and PluginFailed for other errors of another package's format.
    """
    format = export_format(plan.format)
    try:
        return format.write(target, documents, plan)
    except (DocduckError, OSError, MemoryError):
        raise
    except Exception as error:
        if registered_formats()[plan.format].package == OWN_PACKAGE:
            raise
        message = f"The export format {plan.format} failed: {type(error).__name__}: {error}"
        raise PluginFailed(message) from error
