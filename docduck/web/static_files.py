"""The scripts, style sheets and icons of all pages."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, HTTPException
from starlette.responses import FileResponse, Response

from docduck.api.route import Route

router = APIRouter(include_in_schema=False, route_class=Route)

_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_FILES = {path.name: path for path in Path(__file__).parent.glob("*/*") if path.suffix in _TYPES}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "public, max-age=3600",
}


@router.get("/static/{name}")
async def static_file(name: str) -> Response:
    """Return a file that lies beside the templates of a page; its name is unique among those of all pages."""
    path = _FILES.get(name)
    if path is None:
        raise HTTPException(404)
    return FileResponse(path, headers=_HEADERS, media_type=_TYPES[path.suffix])
