"""The response with an export: the file itself, in pieces if it is large."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO

from starlette.background import BackgroundTask
from starlette.responses import Response, StreamingResponse

from docduck.api.response.file_headers import UNTRUSTED, content_disposition
from docduck.service.outputs.file_exports import ExportedFile

HEADERS = {
    "Content-Disposition": "The file's name",
    "X-Document-Count": "Number of documents",
    "X-Row-Count": "Rows of all sheets; documents if they are nested",
    "X-Skipped-Documents": "Ids that were given of documents that are rejected or have no values, separated "
    "by commas",
    "X-Export-Warnings": "What the file does not hold as it was asked for: a JSON array of texts, in ASCII",
}
_CHUNK = 1 << 16
_MOST_SKIPPED = 200
_MOST_WARNINGS = 20


def export_response(export: ExportedFile, whole_bytes: int) -> Response:
    """Return the response; one of at most ``whole_bytes`` is sent whole, so that it can be kept."""
    headers, kind = _headers(export), export.plan.content_type
    if export.size <= whole_bytes:
        with export.file:
            return Response(export.file.read(), headers=headers, media_type=kind)
    headers["Content-Length"] = str(export.size)
    closing = BackgroundTask(export.file.close)
    return StreamingResponse(_chunks(export.file), headers=headers, media_type=kind, background=closing)


def _headers(export: ExportedFile) -> dict[str, str]:
    written = export.written
    headers = {
        **UNTRUSTED,
        "Content-Disposition": content_disposition("attachment", export.name),
        "X-Document-Count": str(len(written.document_ids)),
        "X-Row-Count": str(written.row_count),
    }
    warnings = list(written.warnings[:_MOST_WARNINGS])
    if written.skipped:
        headers["X-Skipped-Documents"] = ",".join(written.skipped[:_MOST_SKIPPED])
    if len(written.skipped) > _MOST_SKIPPED:
        # Proxies and clients refuse long headers.
        warnings.insert(
            0, f"{len(written.skipped)} documents were skipped; the first {_MOST_SKIPPED} are listed"
        )
    if warnings:
        headers["X-Export-Warnings"] = json.dumps(warnings)
    return headers


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while chunk := file.read(_CHUNK):
            yield chunk
