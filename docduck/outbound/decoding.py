"""Decompression of response bodies in bounded pieces."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Protocol

_PIECE = 256 * 1024


class BadEncoding(Exception):
    """The body doesn't match its Content-Encoding; the text is the reason."""


class Decoder(Protocol):
    """Decodes a body piece by piece."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the decoded part of ``data``; raise BadEncoding."""
        ...

    def close(self) -> None:
        """End the body; raise BadEncoding if it is incomplete."""
        ...


def decoder(content_encoding: str) -> Decoder:
    """Return the decoder for a Content-Encoding header (RFC 9110, 8.4); raise BadEncoding for unknown ones.

    docduck requests uncompressed bodies, but some servers compress anyway.
    """
    match content_encoding.strip().lower():
        case "" | "identity":
            return _Identity()
        case "gzip" | "x-gzip":
            return _Inflate(16 + zlib.MAX_WBITS)
        case "deflate":
            return _Inflate(zlib.MAX_WBITS)
    raise BadEncoding("its Content-Encoding was not asked for")


class _Identity:
    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data

    def close(self) -> None:
        pass


class _Inflate:
    """A zlib stream; a bomb is decoded in pieces that the caller can count."""

    def __init__(self, window: int) -> None:
        self._stream = zlib.decompressobj(window)

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            while data and not self._stream.eof:
                yield self._stream.decompress(data, _PIECE)
                data = self._stream.unconsumed_tail
        except zlib.error as error:
            raise BadEncoding("its compressed content is damaged") from error
        if data or self._stream.unused_data:
            raise BadEncoding("its compressed content is damaged")

    def close(self) -> None:
        if not self._stream.eof:
            raise BadEncoding("it is not complete")
