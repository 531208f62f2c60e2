"""Long documents, read in pieces of pages: the pieces, as bytes too, and the document that they make up."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from docduck.documents.document import Document
from docduck.documents.formats.page_reading import read_pages

PIECE_PAGES = 8
"""Pages of a piece; a file with no more pages is read at once."""

_LENGTH = struct.Struct(">Q")
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Document)


def pieces_of(pages: Sequence[int]) -> list[str]:
    """Return the pieces of a file, each as a ``parsePages`` expression."""
    return [
        ",".join(map(str, pages[start : start + PIECE_PAGES])) for start in range(0, len(pages), PIECE_PAGES)
    ]


def joined(pages: Sequence[int], pieces: Iterable[Document], max_words: int) -> Document:
    """Return the document that ``pieces`` make up; it has ``max_words`` words at most.

    What belongs to the file rather than to its pages is taken from the first piece.
    """
    documents = list(pieces)
    whole = documents[0]
    for piece in documents[1:]:
        whole.form = [*whole.form, *piece.form]
        whole.warnings += piece.warnings
    by_number = {page.number: page for piece in documents for page in piece.pages}
    whole.pages = list(read_pages(pages, by_number.get, max_words, whole.warnings))
    whole.warnings = list(dict.fromkeys(whole.warnings))
    return whole


def pack(piece: Document) -> bytes:
    """Return a piece as bytes, of which any number make up a file for ``unpack``."""
    content = zlib.compress(_encoder.encode(piece), 1)
    return _LENGTH.pack(len(content)) + content


def unpack(packed: bytes) -> Iterator[Document]:
    """Yield the pieces in ``packed``."""
    view, start = memoryview(packed), 0
    while start < len(view):
        (length,) = _LENGTH.unpack_from(view, start)
        start += _LENGTH.size + length
        yield _decoder.decode(zlib.decompress(view[start - length : start]))
