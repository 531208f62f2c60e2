"""A server in a thread that answers as Azure Blob Storage does, as far as docduck asks; any key will do."""

from __future__ import annotations

import base64
import hashlib
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape

ACCOUNT = "documents"
KEYS: Any = {"access_key": ACCOUNT, "secret_key": base64.b64encode(b"s3cret").decode()}


class _Blobs(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.containers: dict[str, dict[str, tuple[bytes, str]]] = {}
        self.blocks: dict[tuple[str, str], bytes] = {}
        self.denied = False


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Blobs

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""

    def do_PUT(self) -> None:
        body, blobs = self.rfile.read(int(self.headers.get("Content-Length", 0))), self._blobs()
        if blobs is None:
            return
        name, query = _name(self.path), self._query
        if query.get("comp") == "block":
            self.server.blocks[name, query["blockid"]] = body
        elif query.get("comp") == "blocklist":
            ids = [str(block.text) for block in ElementTree.fromstring(body)]
            whole = b"".join(self.server.blocks.pop((name, one)) for one in ids)
            blobs[name] = whole, formatdate(usegmt=True)
        elif (source := self.headers.get("x-ms-copy-source")) is not None:
            of = _name(source)
            if of not in blobs:
                return self._answer(404, error="BlobNotFound")
            blobs[name] = blobs[of][0], formatdate(usegmt=True)
            return self._answer(202, headers={"x-ms-copy-status": "success"})
        else:
            assert self.headers["x-ms-blob-type"] == "BlockBlob"
            blobs[name] = body, formatdate(usegmt=True)
        self._answer(201, headers={"ETag": f'"{_hash(body)}"'})

    def do_GET(self) -> None:
        blobs = self._blobs()
        if blobs is None:
            return
        if self._query.get("comp") == "list":
            return self._list(blobs)
        if (name := _name(self.path)) not in blobs:
            return self._answer(404, error="BlobNotFound")
        data, changed = blobs[name]
        more = {"Last-Modified": changed, "ETag": f'"{_hash(data)}"', "x-ms-blob-type": "BlockBlob"}
        if wanted := re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", "")):
            start, end = int(wanted[1]), min(int(wanted[2]), len(data) - 1)
            more["Content-Range"] = f"bytes {start}-{end}/{len(data)}"
            return self._answer(206, data[start : end + 1], headers=more)
        self._answer(200, data, headers=more)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        """Delete a blob, in a batch of one."""
        body, blobs = self.rfile.read(int(self.headers["Content-Length"])).decode(), self._blobs()
        if blobs is None:
            return
        assert self._query["comp"] == "batch"
        (path,) = re.findall(r"^DELETE (\S+) HTTP/1.1\r$", body, re.M)
        line = "202 Accepted" if blobs.pop(_name(path), None) else "404 The specified blob does not exist."
        part = f"--b\r\nContent-Type: application/http\r\nContent-ID: 0\r\n\r\nHTTP/1.1 {line}\r\n\r\n--b--"
        self._answer(202, part.encode(), {"Content-Type": "multipart/mixed; boundary=b"})

    @property
    def _query(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}

    def _blobs(self) -> dict[str, tuple[bytes, str]] | None:
        """Return the blobs of the container at ``/account/container``; answer if there are none."""
        assert self.headers["Authorization"].startswith(f"SharedKey {ACCOUNT}:")
        _, account, container, *_ = urlsplit(self.path).path.split("/")
        if self.server.denied or account != ACCOUNT:
            self._answer(403, error="AuthenticationFailed")
        elif container not in self.server.containers:
            self._answer(404, error="ContainerNotFound")
        else:
            return self.server.containers[container]
        return None

    def _list(self, blobs: dict[str, tuple[bytes, str]]) -> None:
        prefix = self._query.get("prefix", "")
        assert self._query["restype"] == "container"
        found = "".join(
            f"<Blob><Name>{escape(name)}</Name><Properties><Last-Modified>{changed}</Last-Modified>"
            f"<Etag>{_hash(data)}</Etag><Content-Length>{len(data)}</Content-Length>"
            "<Content-Type>application/octet-stream</Content-Type></Properties></Blob>"
            for name, (data, changed) in sorted(blobs.items())
            if name.startswith(prefix)
        )
        text = f"<EnumerationResults><Blobs>{found}</Blobs><NextMarker/></EnumerationResults>"
        self._answer(200, text.encode())

    def _answer(
        self,
        status: int,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        error: str | None = None,
    ) -> None:
        if error is not None:
            body = f"<Error><Code>{error}</Code></Error>".encode()
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _name(url: str) -> str:
    """Return the name of the blob at ``/account/container/name``."""
    return unquote(urlsplit(url).path).split("/", 3)[3]


def _hash(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


class AzureStore:
    """The running server."""

    def __init__(self, server: _Blobs) -> None:
        self._server = server
        self.address = f"http://127.0.0.1:{server.server_port}/{ACCOUNT}"

    def new_container(self) -> str:
        """Return the URL of a new, empty container."""
        name = f"container-{len(self._server.containers)}"
        self._server.containers[name] = {}
        return f"az://{name}"

    def names(self, url: str) -> list[str]:
        """Return the names of a container's blobs, sorted."""
        return sorted(self._server.containers[url.removeprefix("az://")])

    def deny(self) -> None:
        """Deny access from now on."""
        self._server.denied = True


@contextmanager
def azure_store() -> Iterator[AzureStore]:
    """Yield a running server."""
    server = _Blobs()
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield AzureStore(server)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
