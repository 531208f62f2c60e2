"""Files to upload, from disk, memory or a stream; files on disk and streams are not read into memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TypeAlias

from docduck.errors import InputError

File: TypeAlias = str | os.PathLike[str] | tuple[str, bytes | IO[bytes]]
"""A path, or a name with its bytes or with a binary stream. A stream that can seek is sent from its
beginning; one that can't is sent once, without retries."""

Part: TypeAlias = tuple[str, tuple[str, bytes | IO[bytes]]]


@dataclass(frozen=True, slots=True)
class Upload:
    """The files of a request and the fields beside them."""

    files: Sequence[tuple[str, Path | bytes | IO[bytes]]] = ()
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def repeatable(self) -> bool:
        """Whether it can be sent again."""
        return all(isinstance(content, Path | bytes) or content.seekable() for _, content in self.files)

    @contextmanager
    def opened(self) -> Iterator[list[Part]]:
        """Yield the files as parts of a form, those on disk opened; raise OSError. httpx rewinds streams."""
        with ExitStack() as stack:
            parts: list[Part] = []
            for name, content in self.files:
                if isinstance(content, Path):
                    content = stack.enter_context(content.open("rb"))
                parts.append(("file", (name, content)))
            yield parts


NOTHING = Upload()


def upload(files: Sequence[File], fields: Mapping[str, str]) -> Upload:
    """Return an upload of ``files``; raise InputError if there are none."""
    if not files:
        raise InputError("Pass at least one file to upload", "file")
    return Upload([_named(file) for file in files], fields)


def _named(file: File) -> tuple[str, Path | bytes | IO[bytes]]:
    if isinstance(file, tuple):
        name, content = file
        return _utf8(name), content
    path = Path(file)
    return _utf8(path.name), path


def _utf8(name: str) -> str:
    """Return the name with what is not valid Unicode replaced: file names may be any bytes."""
    return name.encode("utf-8", "replace").decode()
