"""The directory of an OLE compound file ([MS-CFB]), read within limits."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEAD_BYTES = 64 * 1024
_HEADER, _ENTRY = 512, 128
_SECTORS = {9: 512, 12: 4096}
"""Sizes of sectors by the exponent in the header."""

_LAST_SECTOR = 0xFFFFFFF9
_MOST = 20_000
"""Most entries of the top folder, and most sectors of the tables that lead to it, that are read."""


def ole_names(stream: BinaryIO) -> frozenset[str]:
    """Return the names of the streams and storages in the top folder of an OLE file.

    Of a broken file, the names of all entries in its first bytes.
    """
    try:
        return frozenset(_top_folder(stream))
    except (LookupError, struct.error):
        stream.seek(0)
        head = stream.read(_HEAD_BYTES)
        return frozenset(_name(head, at) for at in range(_HEADER, len(head) - _ENTRY + 1, _ENTRY))


def _top_folder(stream: BinaryIO) -> Iterator[str]:
    """Walk the tree of the root entry's children; raises LookupError and struct.error for a broken file."""
    stream.seek(0)
    header = stream.read(_HEADER)
    size = _SECTORS[header[30]]
    first_entry, first_difat = struct.unpack_from("<I16xI", header, 48)

    def numbers(sector: int) -> tuple[int, ...]:
        stream.seek((sector + 1) * size)
        return struct.unpack(f"<{size // 4}I", stream.read(size))

    tables = list(struct.unpack_from("<109I", header, 76))
    while first_difat <= _LAST_SECTOR and len(tables) < _MOST:
        *more, first_difat = numbers(first_difat)
        tables += more
    sectors: list[int] = []
    while first_entry <= _LAST_SECTOR and len(sectors) < _MOST:
        sectors.append(first_entry)
        first_entry = numbers(tables[first_entry // (size // 4)])[first_entry % (size // 4)]

    def entry(index: int) -> bytes:
        stream.seek((sectors[index * _ENTRY // size] + 1) * size + index * _ENTRY % size)
        return stream.read(_ENTRY)

    seen: set[int] = set()
    ahead = [struct.unpack_from("<I", entry(0), 76)[0]]
    while ahead and len(seen) < _MOST:
        index = ahead.pop()
        if index <= _LAST_SECTOR and index not in seen:
            seen.add(index)
            record = entry(index)
            yield _name(record, 0)
            ahead += struct.unpack_from("<II", record, 68)


def _name(data: bytes, at: int) -> str:
    """Return the name of the directory entry at this place."""
    name, length = struct.unpack_from("<64sH", data, at)
    return str(name[: max(0, min(length, 64) - 2)], "utf-16-le", "replace")
