"""Headers of responses that hold files."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import quote

UNTRUSTED = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
}
"""Of responses with what documents hold: browsers must neither run it nor guess its type."""

_NOT_ALLOWED = re.compile(r"[^ !#$&+.0-9A-Z^_`a-z{}~()\[\],;=@\'-]")
_TOKEN_EXTRA = "!#$&+-.^_`|~"


def content_disposition(how: Literal["inline", "attachment"], name: str) -> str:
    """Return the header's value (RFC 6266): ``name`` in UTF-8 (RFC 8187), and in ASCII for older clients."""
    plain = re.sub(r"[\x00-\x1f\x7f/\\]", "_", name).encode("utf-8", "replace").decode() or "document"
    ascii_name = _NOT_ALLOWED.sub("_", plain)
    value = f'{how}; filename="{ascii_name}"'
    if ascii_name != plain:
        value += f"; filename*=UTF-8''{quote(plain, safe=_TOKEN_EXTRA)}"
    return value
