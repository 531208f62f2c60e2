"""A small S3 server of objects in memory, in a process of its own: its work is not measured."""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

_DATE, _ISO_DATE = "Sat, 01 Jan 2000 00:00:00 GMT", "2000-01-01T00:00:00Z"


@contextmanager
def objects_served() -> Iterator[str]:
    """Yield the address of a server, which takes any keys and any bucket."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}"
    finally:
        process.terminate()
        process.join()


def _serve(pipe: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    pipe.send(server.server_port)
    server.serve_forever()


class _Handler(BaseHTTPRequestHandler):
    """Objects are put, read whole or by ranges, listed and deleted."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    objects: ClassVar[dict[str, bytes]] = {}

    def do_PUT(self) -> None:
        self.objects[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
        self._reply(200)

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if address.query:
            self._list(address.path, parse_qs(address.query)["prefix"][0])
            return
        content = self.objects.get(self.path)
        if content is None:
            self._reply(404)
        elif chosen := self.headers["Range"]:
            start, _, end = chosen.removeprefix("bytes=").partition("-")
            first, last = int(start), min(int(end), len(content) - 1)
            self._reply(206, content[first : last + 1], f"bytes {first}-{last}/{len(content)}")
        else:
            self._reply(200, content)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        keys = re.findall("<Key>(.*?)</Key>", body)
        for key in keys:
            self.objects.pop(f"{self.path.partition('?')[0]}/{key}", None)
        deleted = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
        self._reply(200, f"<DeleteResult>{deleted}</DeleteResult>".encode())

    def _list(self, bucket: str, prefix: str) -> None:
        start = f"{bucket}/{prefix}"
        facts = f"<LastModified>{_ISO_DATE}</LastModified><Size>0</Size>"
        names = [name.removeprefix(f"{bucket}/") for name in self.objects if name.startswith(start)]
        listed = "".join(f"<Contents><Key>{name}</Key>{facts}</Contents>" for name in names)
        self._reply(200, f"<ListBucketResult>{listed}</ListBucketResult>".encode())

    def _reply(self, status: int, content: bytes = b"", place: str | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", '"0"')
        self.send_header("Last-Modified", _DATE)
        if place:
            self.send_header("Content-Range", place)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing of requests."""
