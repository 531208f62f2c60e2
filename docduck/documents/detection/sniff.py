"""The content type of a file. The name only breaks ties: between kinds of text, and of zips."""

from __future__ import annotations

import io
import os
import re
from typing import BinaryIO

import filetype

from docduck.documents.detection.containers import ole_type, zip_type
from docduck.documents.detection.content_types import (
    AVIF,
    BMP,
    GIF,
    HEIC,
    JPEG,
    PDF,
    PNG,
    RFC822,
    RTF,
    SIGNED,
    TIFF,
    UNKNOWN,
    WEBP,
)
from docduck.documents.detection.encoding import looks_like_text
from docduck.documents.detection.file_types import added_type
from docduck.documents.detection.mail_sniff import is_mail
from docduck.documents.detection.ole import OLE_SIGNATURE
from docduck.documents.detection.signed_envelope import is_envelope
from docduck.documents.detection.text_types import text_type

_HEAD_BYTES = 64 * 1024 + 2
_END_BYTES = 1024
_PDF_SEARCH = 1024
"""First bytes that a PDF's header may be in (ISO 32000, annex H)."""

_HEADER = re.compile(rb"%PDF-\d\.\d")
_PDF_END = re.compile(rb"\bstartxref\s{1,9}\d{1,12}\s{1,9}%%EOF\s{0,9}\Z")
_OBJECT = re.compile(rb"\b\d+ \d+ obj\b")

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", PDF), (b"{\\rtf", RTF),
    (b"\x89PNG\r\n\x1a\n", PNG), (b"\xff\xd8\xff", JPEG), (b"II*\x00", TIFF), (b"MM\x00*", TIFF),
    (b"II+\x00", TIFF), (b"MM\x00+", TIFF), (b"GIF87a", GIF), (b"GIF89a", GIF),
)  # fmt: skip

_HEIC_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"})


def content_type(data: bytes, name: str = "") -> str:
    """Return the MIME type of ``data``; ``application/octet-stream`` if it is unknown.

    ``name`` only chooses between kinds of plain text, and between a damaged office file and an archive: a PDF
    named ``x.txt`` is a PDF.
    """
    return stream_type(io.BytesIO(data), name)


def stream_type(stream: BinaryIO, name: str = "") -> str:
    """Return the MIME type of an open file; only its head, end and a container's directory are read."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    data = stream.read(_HEAD_BYTES)
    return added_type(data, name, _own_type(stream, data, size, name))


def _own_type(stream: BinaryIO, data: bytes, size: int, name: str) -> str:
    """Return the type by the first bytes ``data``, among those that docduck recognises itself."""
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return WEBP
    if data[:2] == b"BM" and _is_bitmap(data):
        return BMP
    if data[4:8] == b"ftyp" and (picture := _picture_by_brand(data)):
        return picture
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return zip_type(stream, name)
    if data.startswith(OLE_SIGNATURE):
        return ole_type(stream, name)
    if is_mail(data, name):
        return RFC822
    stream.seek(max(0, size - _END_BYTES))
    end = stream.read()
    if _has_pdf_within(data, end):
        return PDF
    if is_envelope(data):
        return SIGNED
    if looks_like_text(data):
        return text_type(data, end, name)
    guess = filetype.guess_mime(data)
    return guess if isinstance(guess, str) else UNKNOWN


def _has_pdf_within(data: bytes, end: bytes) -> bool:
    """Return whether a PDF begins after other bytes, unlike a text that names its header.

    After many, it must also end like one, or be no text.
    """
    if _PDF_END.search(end):
        return True
    header = _HEADER.search(data)
    if header is None or _OBJECT.search(data, header.end()) is None:
        return False
    return header.start() <= _PDF_SEARCH or b"%%EOF" in end or not looks_like_text(data[header.start() :])


def _picture_by_brand(data: bytes) -> str | None:
    """Return HEIC or AVIF by the brands of the file (ISO 23008-12), None for a film in the same container."""
    size = min(int.from_bytes(data[:4], "big"), 1024)
    brands = [data[at : at + 4] for at in range(8, size - 3, 4) if at != 12]
    if any(brand in (b"avif", b"avis") for brand in brands):
        return AVIF
    return HEIC if _HEIC_BRANDS.intersection(brands) else None


def _is_bitmap(data: bytes) -> bool:
    """Return whether a file that begins with ``BM`` is a bitmap: it has a known size of its info header."""
    return int.from_bytes(data[14:18], "little") in (12, 16, 40, 52, 56, 64, 108, 124)
