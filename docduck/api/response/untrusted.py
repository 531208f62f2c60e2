"""Headers of responses with what documents hold: browsers must neither run it nor guess its type."""

from __future__ import annotations

UNTRUSTED = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
}
