"""Writing documents to one file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from docduck.errors import DocduckError, PluginFailed
from docduck.exports.model import ExportDocument, Written
from docduck.exports.plan import ExportPlan, export_format, registered_formats
from docduck.plugins import OWN_PACKAGE


def write(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
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
