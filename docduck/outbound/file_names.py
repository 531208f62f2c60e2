"""The name of a file as announced by a server (RFC 6266); not yet safe to use."""

from __future__ import annotations

import re
from urllib.parse import unquote, unquote_to_bytes

_PARAMETER = re.compile(r';\s*([\w!#$%&*+.^`|~-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s"]*))', re.DOTALL)
_LONGEST_HEADER = 8192


def announced_name(disposition: str) -> str:
    """Return the name in a Content-Disposition header, ``filename*`` before ``filename``; empty without."""
    values: dict[str, str] = {}
    for name, quoted, token in _PARAMETER.findall(disposition[:_LONGEST_HEADER]):
        values.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted, flags=re.DOTALL) or token)
    return _extended(values.get("filename*", "")) or values.get("filename", "")


def name_in_path(path: str) -> str:
    """Return the last non-empty part of a URL's path, percent-decoded; empty without."""
    return unquote(path.partition("?")[0].rstrip("/").rpartition("/")[2], errors="replace")


def _extended(value: str) -> str:
    """Decode an RFC 8187 value: charset'language'percent-encoded."""
    charset, mark, rest = value.partition("'")
    _, second, encoded = rest.partition("'")
    if not mark or not second or charset.lower() not in ("utf-8", "iso-8859-1"):
        return ""
    return unquote_to_bytes(encoded).decode(charset, errors="replace")
