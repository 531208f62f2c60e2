"""File names of exports, by a pattern such as ``{parser}-{date}``, and what if a file exists."""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from docduck.errors import InputError
from docduck.exports.names import FileNames

DEFAULT = "{parser}-{date}-{time}"
PLACEHOLDERS = ("parser", "export", "format", "date", "time")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def check_pattern(pattern: str) -> str:
    """Return ``pattern``; raise InputError for unknown placeholders, folders and braces."""
    unknown = [name for name in _PLACEHOLDER.findall(pattern) if name not in PLACEHOLDERS]
    rest = _PLACEHOLDER.sub("", pattern)
    if unknown or "{" in rest or "}" in rest:
        known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
        raise InputError(f"A file name may have {known}, and no other braces: {pattern}", "file")
    if "/" in rest or "\\" in rest or not pattern.strip(" ."):
        raise InputError(f"A file name must not be blank or name folders: {pattern}", "file")
    return pattern


def is_dated(pattern: str) -> bool:
    """Return whether files by this pattern have different names over time; others are replaced."""
    return bool({"date", "time"} & {*_PLACEHOLDER.findall(pattern)})


def file_name(pattern: str, extension: str, moment: dt.datetime, **names: str) -> str:
    """Return the name of a file written at ``moment``, in UTC; ``names`` are the other values."""
    utc = moment.astimezone(dt.UTC)
    values: Mapping[str, str] = {**names, "date": f"{utc:%Y%m%d}", "time": f"{utc:%H%M%S}"}
    stem = _PLACEHOLDER.sub(lambda match: values[match[1]], check_pattern(pattern))
    return f"{FileNames().assign(stem)}.{extension}"


def place(part: Path, name: Path, is_taken: Callable[[str], bool] = lambda name: False) -> Path:
    """Give the finished file its name, or ``name-2`` if another file has that or it ``is_taken``."""
    count = 0
    while True:
        count += 1
        path = name if count == 1 else name.with_stem(f"{name.stem}-{count}")
        if is_taken(path.name):
            continue
        try:
            os.link(part, path)
        except FileExistsError:
            if path.samefile(part):
                return path
        except OSError:
            # A file system without hard links.
            if not path.exists():
                return part.replace(path)
        else:
            return path
