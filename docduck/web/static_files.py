"""The scripts, style sheets and icons of all pages."""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import FileResponse, Response

from docduck.api.route import Route

router = APIRouter(include_in_schema=False, route_class=Route)

_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_FILES = {path.name: path for path in Path(__file__).parent.glob("*/*") if path.suffix in _TYPES}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "public, max-age=3600",
    "Vary": "Accept-Encoding",
}


@router.get("/static/{name}")
async def static_file(name: str, request: Request) -> Response:
    """Return a file that lies beside the templates of a page, compressed if the browser can read that.

    Its name is unique among those of all pages. Pages themselves are never compressed: their size would tell
    of the secrets in them.
    """
    path = _FILES.get(name)
    if path is None:
        raise HTTPException(404)
    media_type = _TYPES[path.suffix]
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return FileResponse(path, headers=_HEADERS, media_type=media_type)
    packed = _packed(path, path.stat().st_mtime_ns)
    return Response(packed, headers={**_HEADERS, "Content-Encoding": "gzip"}, media_type=media_type)


@lru_cache(maxsize=len(_FILES))
def _packed(path: Path, changed_at: int) -> bytes:
    """Return a file's content compressed; ``changed_at`` tells its versions apart."""
    return gzip.compress(path.read_bytes())
