"""Frames over a stream socket: eight bytes of length, big-endian, then the payload."""

from __future__ import annotations

import socket
import struct

_HEADER = struct.Struct("!Q")
_CHUNK = 1 << 20


class BrokenChannel(Exception):
    """The other side sent what can't be a frame."""


def send_frame(sock: socket.socket, payload: bytes) -> None:
    """Send one frame, blocking; raises OSError when the other side is gone."""
    if len(payload) < _CHUNK:
        sock.sendall(_HEADER.pack(len(payload)) + payload)
    else:
        sock.sendall(_HEADER.pack(len(payload)))
        sock.sendall(payload)


def receive_frame(sock: socket.socket) -> bytes | None:
    """The next frame, blocking; None when the other side has closed."""
    header = _receive_exactly(sock, _HEADER.size)
    return None if header is None else _receive_exactly(sock, _HEADER.unpack(header)[0])


def _receive_exactly(sock: socket.socket, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        chunk = sock.recv(min(size - len(data), _CHUNK))
        if not chunk:
            return None
        data += chunk
    return bytes(data)


class FrameReader:
    """Collects frames from a socket without ever blocking; frames may be up to ``limit`` bytes."""

    def __init__(self, sock: socket.socket, limit: int) -> None:
        self._sock = sock
        self._limit = limit
        self._data = bytearray()
        self.closed = False

    def read(self) -> list[bytes]:
        """Frames that are complete by now; sets ``closed`` once the other side has gone.

        Raises BrokenChannel for a frame over the limit.
        """
        try:
            while chunk := self._sock.recv(_CHUNK, socket.MSG_DONTWAIT):
                self._data += chunk
                if len(chunk) < _CHUNK:
                    break
            else:
                self.closed = True
        except BlockingIOError:
            pass
        except OSError:
            self.closed = True
        return self._frames()

    def _frames(self) -> list[bytes]:
        frames = []
        while len(self._data) >= _HEADER.size:
            (size,) = _HEADER.unpack_from(self._data)
            if size > self._limit:
                raise BrokenChannel(f"frame of {size} bytes, limit {self._limit}")
            end = _HEADER.size + size
            if len(self._data) < end:
                break
            frames.append(bytes(memoryview(self._data)[_HEADER.size : end]))
            del self._data[:end]
        return frames
