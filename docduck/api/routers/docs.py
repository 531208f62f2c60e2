"""The API's documentation as a page, which loads nothing from other hosts and needs no key."""

from __future__ import annotations

from pathlib import Path

import fastapi_offline
from fastapi import APIRouter, HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response

from docduck.api.route import Route

router = APIRouter(include_in_schema=False, route_class=Route)

_ASSETS = Path(fastapi_offline.__file__).parent / "static"
_SHEET, _PROGRAM, _START = "swagger-ui.css", "swagger-ui-bundle.js", "start.js"

_PAGE = f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>docduck API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/{_SHEET}">
</head>
<body>
<div id="docs"></div>
<noscript>The API is described in <a href="api/v1/openapi.json">openapi.json</a>.</noscript>
<script src="docs/{_PROGRAM}"></script>
<script src="docs/{_START}"></script>
</body>
</html>
"""
_STARTED = """\
SwaggerUIBundle({url: "api/v1/openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null});
"""
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


@router.get("/docs")
async def page() -> Response:
    """Return the page."""
    return HTMLResponse(_PAGE, headers=_HEADERS)


@router.get("/docs/{name}")
async def asset(name: str) -> Response:
    """Return a script or style sheet of the page."""
    if name == _START:
        return Response(_STARTED, headers=_HEADERS, media_type="text/javascript")
    if name not in (_SHEET, _PROGRAM):
        raise HTTPException(404)
    return FileResponse(_ASSETS / name, headers={**_HEADERS, "Cache-Control": "public, max-age=86400"})
