"""Results of queries as downloads."""

from __future__ import annotations

from starlette.responses import Response

from docduck.api.response.file_headers import UNTRUSTED, content_disposition
from docduck.exports.result_file import CONTENT_TYPES, ResultFormat, result_file
from docduck.warehouse.query_order import TeamResult


def download(result: TeamResult, wanted: ResultFormat, name: str) -> Response:
    """Return a response with a result as a file; ``name`` is the file's, without extension."""
    return Response(
        result_file(wanted, result.columns, result.types, result.rows),
        headers={
            **UNTRUSTED,
            "Content-Disposition": content_disposition("attachment", f"{name}.{wanted}"),
            "Cache-Control": "no-store",
        },
        media_type=CONTENT_TYPES[wanted],
    )
