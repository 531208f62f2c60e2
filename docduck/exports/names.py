"""Valid, unique names of sheets and files."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

_NOT_IN_SHEETS = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_NOT_IN_FILES = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_WINDOWS_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def cut(text: str, units: int) -> str:
    """Return the longest prefix of ``text`` with at most ``units`` UTF-16 code units, which spreadsheets
    count.
    """
    if len(text) <= units // 2:
        return text
    return text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", errors="ignore")


class _Names(ABC):
    """Make names unique, ignoring case, by adding `` (2)``, `` (3)`` …"""

    most_units: int

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def assign(self, preferred: str) -> str:
        """Return a valid, unused name similar to ``preferred``."""
        valid = cut(self.valid(preferred), self.most_units).strip()
        name, number = valid, 2
        while name.casefold() in self._taken:
            suffix = f" ({number})"
            name, number = cut(valid, self.most_units - len(suffix)).rstrip() + suffix, number + 1
        self._taken.add(name.casefold())
        return name

    @abstractmethod
    def valid(self, preferred: str) -> str:
        """Return ``preferred`` without invalid characters."""


class SheetNames(_Names):
    r"""Names of worksheets: at most 31 characters, none of ``[ ] : * ? / \``, no quote at the ends."""

    most_units = 31

    def valid(self, preferred: str) -> str:
        name = cut(_NOT_IN_SHEETS.sub("_", preferred).strip(), self.most_units).strip(" '")
        return f"{name}_" if name.casefold() in ("", "history") else name


class FileNames(_Names):
    """Names of files without extension, valid on every file system."""

    most_units = 100

    def valid(self, preferred: str) -> str:
        name = _NOT_IN_FILES.sub("_", preferred).strip(" .")
        return f"{name}_" if not name or _WINDOWS_DEVICES.fullmatch(name) else name
