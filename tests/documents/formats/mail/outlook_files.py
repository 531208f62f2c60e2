"""Writes .msg files: an OLE compound file (MS-CFB, version 3) around the properties of MS-OXMSG."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

Tree = Mapping[str, "bytes | Tree"]
"""Streams and storages by name."""

_SECTOR, _MINI = 512, 64
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


@dataclass
class _Entry:
    name: str
    kind: int
    data: bytes = b""
    children: list[int] = field(default_factory=list)
    child: int = _FREE
    right: int = _FREE
    start: int = _END


def ole_file(tree: Tree) -> bytes:
    """Return a compound file; streams of less than 4096 bytes are in the root's mini stream."""
    entries: list[_Entry] = []

    def add(name: str, node: bytes | Tree, kind: int) -> int:
        index = len(entries)
        entry = _Entry(name, kind, node if isinstance(node, bytes) else b"")
        entries.append(entry)
        if not isinstance(node, bytes):
            order = sorted(node, key=lambda child: (len(child), child.upper()))
            entry.children = [
                add(child, node[child], 2 if isinstance(node[child], bytes) else 1) for child in order
            ]
            for left, right in zip(entry.children, entry.children[1:], strict=False):
                entries[left].right = right
            entry.child = entry.children[0] if entry.children else _FREE
        return index

    add("Root Entry", tree, 5)
    fat: list[int] = []
    body = b""

    def place(data: bytes) -> int:
        nonlocal body
        if not data:
            return _END
        start, count = len(fat), -(-len(data) // _SECTOR)
        fat.extend([*range(start + 1, start + count), _END])
        body += data.ljust(count * _SECTOR, b"\0")
        return start

    mini_fat: list[int] = []
    mini = b""
    for entry in entries:
        if entry.kind == 2 and 0 < len(entry.data) < 4096:
            entry.start, count = len(mini_fat), -(-len(entry.data) // _MINI)
            mini_fat.extend([*range(entry.start + 1, entry.start + count), _END])
            mini += entry.data.ljust(count * _MINI, b"\0")
        elif entry.kind == 2:
            entry.start = place(entry.data)
    entries[0].data, entries[0].start = mini, place(mini)
    mini_start = place(
        struct.pack(f"<{len(mini_fat)}I", *mini_fat).ljust(-(-len(mini_fat) // 128) * _SECTOR, b"\xff")
    )
    directory = b"".join(_directory_entry(entry) for entry in entries)
    directory += b"".join(_directory_entry(_Entry("", 0)) for _ in range(-len(entries) % 4))
    directory_start = place(directory)
    fat_sectors = 1
    while (len(fat) + fat_sectors) * 4 > fat_sectors * _SECTOR:
        fat_sectors += 1
    fat_start = len(fat)
    fat += [_FAT] * fat_sectors
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(fat_sectors * _SECTOR, b"\xff")
    difat = [*range(fat_start, fat_start + fat_sectors), *[_FREE] * (109 - fat_sectors)]
    header = struct.pack(
        "<8s16sHHHHH6xIIIIIIIII109I",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6,
        0, fat_sectors, directory_start, 0, 4096, mini_start, -(-len(mini_fat) // 128), _END, 0, *difat,
    )  # fmt: skip
    return header + body + table


def _directory_entry(entry: _Entry) -> bytes:
    name = entry.name.encode("utf-16-le")
    size = len(name) + 2 if entry.name else 0
    return struct.pack(
        "<64sHBBIII16sIQQIQ",
        name, size, entry.kind, 1, _FREE, entry.right, entry.child, b"", 0, 0, 0,
        entry.start, len(entry.data),
    )  # fmt: skip


def properties(fixed: Mapping[int, int] = {}, header: int = 32) -> bytes:
    """Return a property stream with 8-byte values by tag (property id and type)."""
    return bytes(header) + b"".join(struct.pack("<IIQ", tag, 6, value) for tag, value in fixed.items())


def text(values: Mapping[int, str]) -> dict[str, bytes]:
    """Return unicode string properties."""
    return {f"__substg1.0_{tag:04X}001F": value.encode("utf-16-le") for tag, value in values.items()}


def filetime(moment: datetime) -> int:
    """100 nanoseconds since 1601."""
    return int((moment - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000


def recipient(name: str, address: str, kind: int) -> dict[str, bytes]:
    """Return a recipient: kind 1 is To, 2 Cc, 3 Bcc."""
    return {
        **text({0x3001: name, 0x3003: "/O=ORG/CN=" + name, 0x39FE: address}),
        "__properties_version1.0": properties({0x0C150003: kind}, 8),
    }


def attachment(name: str, data: bytes, **more: str) -> dict[str, bytes]:
    """Return an attached file; ``content_id`` and ``mime`` as far as given."""
    tags = {0x3707: name, 0x3704: name[:8]}
    if "content_id" in more:
        tags[0x3712] = more["content_id"]
    if "mime" in more:
        tags[0x370E] = more["mime"]
    return {
        **text(tags),
        "__substg1.0_37010102": data,
        "__properties_version1.0": properties({}, 8),
    }


def message(
    strings: Mapping[int, str],
    fixed: Mapping[int, int] = {},
    header: int = 32,
    **storages: Tree,
) -> dict[str, bytes | Tree]:
    """Return a message's storage: strings and fixed values by tag, recipients and files (``file0`` …)."""
    tree: dict[str, bytes | Tree] = {**text(strings), "__properties_version1.0": properties(fixed, header)}
    for index, (name, storage) in enumerate(storages.items()):
        prefix = "__attach_version1.0_#" if name.startswith("file") else "__recip_version1.0_#"
        tree[f"{prefix}{index:08X}"] = storage
    return tree
