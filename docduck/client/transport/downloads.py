"""Responses that are saved as files while they arrive."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

_ENCODED = re.compile(r"filename\*=UTF-8''([^;]+)")
_PLAIN = re.compile(r'filename="([^"]*)"')


@dataclass
class Download:
    """Where to save a response: a file, or a folder that gets a file of the server's name.

    The file appears complete or not at all; ``saved`` is its path then.
    """

    to: Path
    saved: Path | None = field(default=None, init=False)

    @contextmanager
    def opened(self, headers: Mapping[str, str]) -> Iterator[BinaryIO]:
        """Yield the file to write to; raise OSError."""
        path = self.to / file_name(headers) if self.to.is_dir() else self.to
        part = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
        try:
            with part.open("wb") as file:
                yield file
            self.saved = part.replace(path)
        finally:
            part.unlink(missing_ok=True)


def file_name(headers: Mapping[str, str]) -> str:
    """Return the file's name in Content-Disposition, without folders."""
    header = headers.get("content-disposition", "")
    if match := _ENCODED.search(header):
        name = unquote(match[1])
    else:
        name = match[1] if (match := _PLAIN.search(header)) else ""
    return Path(name.replace("\\", "/")).name or "export"
