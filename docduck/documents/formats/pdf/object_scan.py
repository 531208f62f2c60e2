"""Objects of a PDF, found by their text: its table of objects may be lost, and PDFium doesn't tell all."""

from __future__ import annotations

import re
import zlib
from collections import deque
from collections.abc import Iterator
from itertools import islice

from docduck.errors import DamagedFile

MOST_UNPACKED = 64_000_000
"""Bytes of all object streams together that are searched."""

_MOST_OBJECTS = 1_000_000
_MOST_STREAMS = 100_000
_MOST_CATALOGS = 100
_LONGEST_HEAD = 2_000
"""Bytes of the dictionary of an object stream."""
_LONGEST_INDEX = 2_000_000
_LONGEST_CATALOG = 200_000

_OBJECT = re.compile(rb"(?<!\d)(\d{1,10})[ \t\r\n]{1,9}(\d{1,5})[ \t\r\n]{1,9}obj\b")
_CATALOG = re.compile(rb"/Type[ \t\r\n]{0,9}/Catalog\b")
_PAGES = re.compile(rb"/Type[ \t\r\n]{0,9}/Pages\b")
_PARENT = re.compile(rb"/Parent\b")
_OBJECT_STREAM = re.compile(rb"/Type[ \t\r\n]{0,9}/ObjStm\b")
_STREAM = re.compile(rb"\bstream\r?\n")
_FIRST = re.compile(rb"/First[ \t\r\n]{1,9}(\d{1,9})")
_ENCRYPTION = re.compile(rb"/Filter[ \t\r\n]{0,9}/Standard\b")


def catalogs(data: bytes) -> Iterator[bytes]:
    """Yield the catalogs of a PDF as text, those of earlier versions too."""
    for found in islice(_CATALOG.finditer(data), _MOST_CATALOGS):
        begin = data.rfind(b"obj", max(0, found.start() - _LONGEST_CATALOG), found.start())
        end = data.find(b"endobj", found.end(), found.end() + _LONGEST_CATALOG)
        yield data[begin + 3 if begin >= 0 else found.start() : end if end >= 0 else found.end()]
    yield from (content for _, content in packed_objects(data) if _CATALOG.search(content))


def packed_objects(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield number and text of the objects in object streams (ISO 32000, 7.5.7), where these are readable."""
    left = MOST_UNPACKED
    view = memoryview(data)
    for found in islice(_OBJECT_STREAM.finditer(data), _MOST_STREAMS):
        begin = data.rfind(b"obj", max(0, found.start() - _LONGEST_HEAD), found.start())
        stream = _STREAM.search(data, found.end(), found.end() + _LONGEST_HEAD)
        first = _FIRST.search(data, max(begin, 0), stream.start()) if stream else None
        if stream is None or first is None or int(first[1]) > _LONGEST_INDEX:
            continue
        try:
            content = zlib.decompressobj().decompress(view[stream.end() :], left)
        except zlib.error:
            continue
        left -= len(content)
        if left <= 0:
            return
        yield from _packed(content, int(first[1]))


def _packed(content: bytes, first: int) -> Iterator[tuple[int, bytes]]:
    """Yield the objects of one stream, which are in the order of their offsets."""
    numbers = [int(number) for number in content[:first].split() if number.isdigit() and len(number) < 11]
    pairs = list(zip(numbers[::2], numbers[1::2], strict=False))
    ends = [offset for _, offset in pairs[1:]] + [len(content) - first]
    for (number, offset), end in zip(pairs, ends, strict=True):
        if end < offset:
            return
        yield number, content[first + offset : first + end]


def with_new_table(data: bytes) -> bytes:
    """Return a PDF that lost its end with a trailer, from which PDFium finds its objects, packed ones too.

    Raise ``DamagedFile`` for one without a catalog and a tree of pages, and for an encrypted one, whose key
    was in its trailer.
    """
    if _ENCRYPTION.search(data):
        raise DamagedFile("the trailer of an encrypted PDF is lost")
    plain = {int(found[1]) for found in islice(_OBJECT.finditer(data), _MOST_OBJECTS)}
    packed = {number: content for number, content in packed_objects(data) if number not in plain}
    root = _newest(_CATALOG, data, packed)
    if root is None:
        pages = _newest(_PAGES, data, packed)
        if pages is None:
            raise DamagedFile("the PDF has neither a catalog nor pages")
        root = max(plain | packed.keys()) + 1, 0
        packed[root[0]] = b"<< /Type /Catalog /Pages %d %d R >>" % pages
    objects = b"".join(b"\n%d 0 obj\n%s\nendobj\n" % item for item in packed.items())
    return data + objects + b"\ntrailer\n<< /Root %d %d R >>\nstartxref\n0\n%%%%EOF\n" % root


def _newest(kind: re.Pattern[bytes], data: bytes, packed: dict[int, bytes]) -> tuple[int, int] | None:
    """Return number and generation of the newest object of a kind that has no parent."""
    for number, content in reversed(packed.items()):
        if kind.search(content) and not _PARENT.search(content):
            return number, 0
    newest = None
    for found in islice(kind.finditer(data), _MOST_CATALOGS):
        heads = _OBJECT.finditer(data, max(0, found.start() - _LONGEST_CATALOG), found.start())
        last = next(iter(deque(heads, maxlen=1)), None)
        end = data.find(b"endobj", found.end(), found.end() + _LONGEST_CATALOG)
        if last is not None and not _PARENT.search(data, last.end(), end if end >= 0 else found.end()):
            newest = int(last[1]), int(last[2])
    return newest
