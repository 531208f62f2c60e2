"""Names of files: temporary ones are recognised, others are made storable."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata

_TEMPORARY = re.compile(
    r"\.|~\$|.*\.(?:part|partial|filepart|crdownload|download|tmp|swp)$|thumbs\.db$|desktop\.ini$",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_NAME = 255
_DIRECTION_MARKS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def is_temporary(name: str) -> bool:
    """Return whether a file or folder of this name is hidden, half-written or the system's."""
    return _TEMPORARY.match(name) is not None


def clean_name(name: str) -> str:
    """Return ``name`` as a document's name: NFC, one line, no control characters, no undecodable bytes.

    Marks that change the writing direction are removed, because they can disguise ``exe`` as ``pdf``.
    """
    if name.isascii() and name.isprintable():
        return " ".join(name.split()) or "document"
    text = unicodedata.normalize("NFC", _DIRECTION_MARKS.sub("", name))
    characters = (_kept(character) for character in text)
    return " ".join("".join(characters).split()) or "document"


def file_name(path: str) -> str:
    """Return a document's name from a file's name or path."""
    name = clean_name(path.replace("\\", "/").rpartition("/")[2])
    if not name.strip("."):
        return "document"
    if len(name) <= _LONGEST_NAME:
        return name
    stem, dot, suffix = name.rpartition(".")
    return (
        f"{stem[: _LONGEST_NAME - len(suffix) - 1]}{dot}{suffix}"
        if len(suffix) < 20
        else name[:_LONGEST_NAME]
    )


def _kept(character: str) -> str:
    match unicodedata.category(character):
        case "Cc" | "Zl" | "Zp":
            return " "
        case "Cs":
            return "\ufffd"
        case _:
            return character


def safe_text(path: str) -> str:
    r"""Return ``path`` as text that any database can store: an undecodable byte becomes ``\xff``."""
    return os.fsencode(path).decode("utf-8", errors="backslashreplace")


def key_of(path: str) -> str:
    """Return the SHA-256 of the path's bytes in hex."""
    return hashlib.sha256(os.fsencode(path)).hexdigest()
