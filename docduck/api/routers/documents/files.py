"""The targets of signed links, which need no key: files, thumbnails and markdown of documents,
and exports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import FileResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.response.file_headers import UNTRUSTED, content_disposition
from docduck.api.route import Route
from docduck.service.core.installation import Installation
from docduck.service.outputs.file_exports import LinkedFile, linked_export
from docduck.service.previews.signed_links import check_link, linked_file, linked_markdown
from docduck.service.previews.thumbnails import thumbnail

router = APIRouter(include_in_schema=False, route_class=Route)

_INLINE = {"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/avif"}
"""Not PDFs: viewers in browsers run the scripts in them, whatever the policy says."""

_HEADERS = {
    **UNTRUSTED,
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, max-age=300",
}

_FINDERS: Mapping[str, Callable[[Installation, str], LinkedFile]] = {
    "file": linked_file,
    "markdown": linked_markdown,
    "export": linked_export,
}

Text = Annotated[str, Query(max_length=200)]


@router.api_route("/files/{kind}/{documentId}", methods=["GET", "HEAD"], response_model=None)
def linked(inst: Inst, kind: str, documentId: str, expires: Text = "", signature: Text = "") -> Response:
    """Return the target of a link; links that are forged or expired are refused.

    Files are not trusted, so browsers must neither run them nor guess their type. Range requests work.
    """
    check_link(inst, kind, documentId, expires, signature)
    if kind == "thumbnail":
        return Response(thumbnail(inst, documentId), headers=_HEADERS, media_type="image/jpeg")
    return _sent(_FINDERS[kind](inst, documentId))


def _sent(file: LinkedFile) -> Response:
    how: Any = "inline" if file.content_type in _INLINE else "attachment"
    headers = {
        **_HEADERS,
        "Content-Type": file.content_type,
        "Content-Disposition": content_disposition(how, file.name),
        "ETag": f'"{file.sha256}"',
    }
    return FileResponse(file.path, headers=headers)
