"""Results of queries as downloads; their writer is imported when used, as its libraries are large."""

from __future__ import annotations

from pkgutil import resolve_name

from starlette.responses import Response

from docduck.api.response.file_headers import UNTRUSTED, content_disposition
from docduck.exports.formats import ResultFormat
from docduck.warehouse.query_order import TeamResult


def download(result: TeamResult, format_: ResultFormat, name: str) -> Response:
    """Return a response with a result as a file; ``name`` is the file's, without extension."""
    write = resolve_name("docduck.exports.result_file:result_file")
    return Response(
        write(format_, result.columns, result.types, result.rows),
        headers={
            **UNTRUSTED,
            "Content-Disposition": content_disposition("attachment", f"{name}.{format_}"),
            "Cache-Control": "no-store",
        },
        media_type=format_.content_type,
    )
