"""The HTML of upload pages, and their policy headers."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from docduck.documents.detection.content_types import JPEG
from docduck.documents.detection.file_types import labels, usual_suffixes
from docduck.service.uploads.public_upload_pages import PublicPage, SentFile
from docduck.service.uploads.url_uploads import MAX_UPLOAD_BYTES
from docduck.settings import Settings
from docduck.web.page import render

STATIC = "../static"
"""The folder of static files, seen from the page; the server may be below a path of its host."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors {ancestors}"
)


def page_headers(embed_origins: Sequence[str] = ()) -> dict[str, str]:
    """Return the headers of a page that may be embedded in pages of these origins only."""
    headers = {
        "Content-Security-Policy": _POLICY.format(ancestors=" ".join(embed_origins) or "'none'"),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "X-Robots-Tag": "noindex",
        "Cache-Control": "no-store",
    }
    # It can't name origins; browsers that know frame-ancestors ignore it.
    return headers if embed_origins else {**headers, "X-Frame-Options": "DENY"}


def form_page(page: PublicPage, token: str, embedding: str | None, settings: Settings) -> str:
    """Return the page that takes files.

    ``embedding`` is None if the page is not embedded, otherwise the origin of the page around it, or empty.
    """
    types = page.accepted_file_types
    query = "" if embedding is None else f"?embed={quote(embedding, safe='')}"
    return render(
        "upload_page/form.html.j2",
        title=page.title,
        message=page.message,
        static=STATIC,
        action=f"{token}/files{query}",
        accept=",".join([*types, *usual_suffixes(types)]),
        takes_photos=not types or JPEG in types,
        limits=_limits(types, settings),
        max_bytes=min(settings.max_file_bytes, MAX_UPLOAD_BYTES),
    )


def result_page(
    title: str, message: str = "", files: Sequence[SentFile] = (), back: str = "", *, static: str = STATIC
) -> str:
    """Return a page that tells what happened to files, or why there is no page; ``back`` is a link."""
    return render(
        "upload_page/result.html.j2", title=title, message=message, files=files, back=back, static=static
    )


def size_text(size: int) -> str:
    """Return a size as ``25 MB``, rounded down."""
    for unit, factor in (("GB", 1024**3), ("MB", 1024**2), ("KB", 1024)):
        if size >= factor:
            return f"{size // factor} {unit}"
    return f"{size} bytes"


def _limits(types: Sequence[str], settings: Settings) -> str:
    largest = f"up to {size_text(min(settings.max_file_bytes, MAX_UPLOAD_BYTES))} each"
    named = ", ".join(labels().get(type_, type_) for type_ in types)
    return f"{named}; {largest}" if named else f"Files {largest}"
