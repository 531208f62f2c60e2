from __future__ import annotations

import asyncio
import gzip
import io
import logging
import socket
import ssl
import struct
import subprocess
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from ipaddress import IPv4Address, ip_network
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docduck.errors import TooLarge
from docduck.outbound.addresses import Address
from docduck.outbound.download import Downloaded, announced_name, download, name_in_path
from docduck.outbound.errors import DownloadFailed, UrlNotAllowed
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.resolving import Connecting, system_resolver
from tests.outbound.web import ONLY_THE_SITE, SITE, Canary, Resolving, Site, ok, redirect, reply, running

NOBODY = ip_network("127.0.0.9/32")
SMALL = replace(ONLY_THE_SITE, max_bytes=1000)


def fetch(
    url: str, policy: OutboundPolicy = ONLY_THE_SITE, tls: ssl.SSLContext | None = None
) -> tuple[Downloaded, bytes]:
    sink = io.BytesIO()
    resolver = Resolving(
        {"files.example.org": [SITE], "wrong.example.org": [SITE], "two.example.org": [SITE]}
    )
    return asyncio.run(download(url, sink, policy, connecting=Connecting(resolver, tls))), sink.getvalue()


def test_a_file_comes_with_its_size_its_name_and_its_type(site: Site) -> None:
    body = bytes(range(256)) * 5000
    disposition = "Content-Disposition: attachment; filename=\"b.pdf\"; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf"
    site.pages["/a/b%20c.pdf?x=1"] = ok(body, "Content-Type: Application/PDF; charset=x", disposition)
    got, data = fetch(site.url("/a/b%20c.pdf?x=1#page=2", "FILES.example.org."))
    assert got == Downloaded(len(body), "résumé.pdf", "application/pdf")
    assert data == body
    request = site.requests[0].split("\r\n")
    assert request[0] == "GET /a/b%20c.pdf?x=1 HTTP/1.1"
    assert f"Host: files.example.org:{site.port}" in request
    assert "Accept-Encoding: identity" in request
    assert any(line.startswith("User-Agent: docduck/") for line in request)


class Part(io.BytesIO):
    """A part of a file that is there already."""

    @property
    def size(self) -> int:
        return len(self.getvalue())

    def restart(self) -> None:
        self.seek(0)
        self.truncate()


def resume(site: Site, part: bytes) -> bytes:
    sink = Part()
    sink.write(part)
    connecting = Connecting(Resolving({"files.example.org": [SITE]}))
    asyncio.run(download(site.url("/f"), sink, ONLY_THE_SITE, connecting=connecting, resumed=sink))
    return sink.getvalue()


def test_what_follows_a_part_is_asked_for(site: Site) -> None:
    site.pages["/f"] = reply("206 Partial Content", "Content-Range: bytes 3-6/7", body=b"defg")
    assert resume(site, b"abc") == b"abcdefg"
    assert "Range: bytes=3-" in site.requests[0].split("\r\n")
    site.pages["/f"] = ok(b"abcdefg")
    assert resume(site, b"abc") == b"abcdefg"
    assert resume(site, b"") == b"abcdefg"
    assert "Range:" not in site.requests[-1]


@pytest.mark.parametrize(
    ("status", "place", "restart"),
    [
        ("206", "Content-Range: bytes 2-5/7", True),
        ("206", "X-None: 1", True),
        ("416", "Content-Range: bytes */2", True),
        ("403", "X-None: 1", False),
        ("503", "X-None: 1", False),
    ],
)
def test_without_what_follows_a_part_the_whole_file_may_be_had(
    site: Site, status: str, place: str, restart: bool
) -> None:
    site.pages["/f"] = reply(f"{status} x", place, body=b"defg")
    for part in (b"abc", b""):
        with pytest.raises(DownloadFailed, match=f"answered {status}") as caught:
            resume(site, part)
        assert caught.value.restart == (restart and part != b"")


def test_without_a_header_the_url_names_the_file(site: Site) -> None:
    site.pages["/x%2Fr%C3%A9.pdf/?a=/b.png"] = ok(b"1")
    site.pages["/"] = ok(b"2")
    site.pages["/short"] = redirect("/x%2Fr%C3%A9.pdf/?a=/b.png")
    assert fetch(site.url("/x%2Fr%C3%A9.pdf/?a=/b.png"))[0].name == "x/ré.pdf"
    assert fetch(site.url("/short"))[0].name == "x/ré.pdf"
    assert fetch(site.url(""))[0].name == ""


def test_five_redirects_are_followed_however_they_are_written(site: Site) -> None:
    site.pages["/1"] = redirect(site.url("/2", "files.example.org"), status="301 Moved")
    site.pages["/2"] = redirect(f"//{SITE}:{site.port}/dir/3?x=y")
    site.pages["/dir/3?x=y"] = redirect("../dir/4", status="303 See Other")
    site.pages["/dir/4"] = redirect("?five", status="307 Temporary Redirect")
    site.pages["/dir/4?five"] = redirect("/the file é.pdf", status="308 Permanent Redirect")
    site.pages["/the%20file%20%C3%A9.pdf"] = ok(b"here")
    got, data = fetch(site.url("/1"))
    assert (got.name, data, len(site.requests)) == ("the file é.pdf", b"here", 6)


def test_names_in_other_scripts_are_asked_for_in_ascii(site: Site) -> None:
    site.pages["/"] = ok(b"x")
    resolver = Resolving({"xn--bcher-kva.example.org": [SITE]})
    url = site.url("/", "Bücher.example。org")
    asyncio.run(download(url, io.BytesIO(), ONLY_THE_SITE, connecting=Connecting(resolver)))
    assert resolver.asked == ["xn--bcher-kva.example.org"]
    assert f"Host: xn--bcher-kva.example.org:{site.port}" in site.requests[0]


@pytest.mark.parametrize(
    ("encoding", "compress"), [("gzip", gzip.compress), ("X-GZip", gzip.compress), ("deflate", zlib.compress)]
)
def test_what_is_compressed_all_the_same_is_counted_as_it_comes_out(
    site: Site, encoding: str, compress: Callable[[bytes], bytes]
) -> None:
    header = f"Content-Encoding: {encoding}"
    site.pages["/fits"] = ok(compress(b"x" * 1000), header)
    site.pages["/bomb"] = ok(compress(bytes(50_000_000)), header)
    site.pages["/short"] = ok(compress(b"x" * 1000)[:-5], header)
    site.pages["/wrong"] = ok(b"this is not compressed at all", header)
    site.pages["/more"] = ok(compress(b"x") + b"trailing", header)
    assert fetch(site.url("/fits"), SMALL)[1] == b"x" * 1000
    with pytest.raises(TooLarge):
        fetch(site.url("/bomb"), SMALL)
    with pytest.raises(DownloadFailed, match="it is not complete"):
        fetch(site.url("/short"), SMALL)
    for path in ("/wrong", "/more"):
        with pytest.raises(DownloadFailed, match="compressed content is damaged"):
            fetch(site.url(path), SMALL)


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "none"])
def test_other_encodings_are_refused(site: Site, encoding: str) -> None:
    site.pages["/"] = ok(b"x", f"Content-Encoding: {encoding}")
    with pytest.raises(DownloadFailed, match="Content-Encoding was not asked for"):
        fetch(site.url("/"))


def endless(start: bytes, piece: bytes, pause: float = 0) -> Callable[[socket.socket], None]:
    def answer(connection: socket.socket) -> None:
        connection.sendall(start)
        while True:
            connection.sendall(piece)
            time.sleep(pause)

    return answer


@pytest.mark.parametrize(
    "page",
    [
        ok(b"x" * 1001),
        endless(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n", b"x", 0.01),
        endless(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"4\r\nabcd\r\n"),
        endless(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 100),
    ],
    ids=["length", "announced", "chunked", "until it closes"],
)
def test_what_is_too_large_is_given_up(site: Site, page: bytes | Callable[[socket.socket], None]) -> None:
    site.pages["/"] = page
    sink = io.BytesIO()
    with pytest.raises(TooLarge, match=r"^File too large$"):
        asyncio.run(download(site.url("/"), sink, SMALL))
    assert len(sink.getvalue()) <= 1000
    site.pages["/"] = ok(b"x" * 1000)
    assert fetch(site.url("/"), SMALL)[0].size == 1000


def reset(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
            "the connection broke off, or was no proper HTTP",
        ),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n",
            "the connection broke off, or was no proper HTTP",
        ),
        (reset, "the connection broke off, or was no proper HTTP"),
        (b"", "the connection broke off, or was no proper HTTP"),
        (b"SSH-2.0-OpenSSH_9.9\r\n", "the connection broke off, or was no proper HTTP"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            "the connection broke off, or was no proper HTTP",
        ),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 500_000, "the connection broke off, or was no proper HTTP"),
    ],
    ids=["length", "chunked", "reset", "nothing", "ssh", "two lengths", "header"],
)
def test_a_body_that_is_not_complete_is_no_file(
    site: Site, page: bytes | Callable[[socket.socket], None], reason: str
) -> None:
    site.pages["/"] = page
    with pytest.raises(DownloadFailed) as caught:
        fetch(site.url("/"))
    assert caught.value.message == f"Could not download {site.url('/')}: {reason}"
    assert caught.value.retryable


@pytest.mark.parametrize(
    ("status", "reason", "retryable"),
    [
        ("404 Whatever It Says", "404 Not Found", False),
        ("401 Unauthorized", "401 Unauthorized", False),
        ("403 x", "403 Forbidden", False),
        ("204 x", "204 No Content", False),
        ("206 x", "206 Partial Content", False),
        ("429 x", "429 Too Many Requests", True),
        ("503 x", "503 Service Unavailable", True),
        ("599 x", "599", False),
    ],
)
def test_any_other_status_is_an_error(site: Site, status: str, reason: str, retryable: bool) -> None:
    site.pages["/"] = reply(status)
    with pytest.raises(DownloadFailed) as caught:
        fetch(site.url("/"))
    assert caught.value.message == f"Could not download {site.url('/')}: the server answered {reason}"
    assert caught.value.retryable == retryable


@pytest.mark.parametrize(
    ("page", "policy", "reason"),
    [
        (endless(b"HTTP/1.1 200 OK\r\n\r\n", b"x", 0.05), {"seconds": 0.5}, "it takes longer than 0.5 s"),
        (endless(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", 0.05), {"seconds": 0.5}, "it takes longer than 0.5 s"),
        (
            endless(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n", 0.05),
            {"seconds": 0.5},
            "it takes longer than 0.5 s",
        ),
        (endless(b"HTTP/1.1 200 OK\r\n\r\n", b"x", 3), {"read_seconds": 0.3}, "the server stopped sending"),
        (endless(b"", b"HTTP", 3), {"read_seconds": 0.3}, "the server stopped sending"),
    ],
    ids=["dribbled body", "dribbled head", "early hints", "stalled body", "stalled head"],
)
def test_time_is_limited(
    site: Site, page: Callable[[socket.socket], None], policy: dict[str, float], reason: str
) -> None:
    site.pages["/"] = page
    start = time.monotonic()
    with pytest.raises(DownloadFailed, match=reason) as caught:
        fetch(site.url("/"), replace(ONLY_THE_SITE, **policy))  # type: ignore[arg-type]
    assert time.monotonic() - start < 30, "the site never ends"
    assert caught.value.retryable


def test_a_resolver_that_does_not_answer_is_not_waited_for() -> None:
    async def never(name: str, port: int) -> Sequence[Address]:
        await asyncio.sleep(60)
        return []

    with pytest.raises(DownloadFailed, match="its host is not found in time"):
        asyncio.run(
            download(
                "http://x.example.org/",
                io.BytesIO(),
                OutboundPolicy(connect_seconds=0.1),
                connecting=Connecting(never),
            )
        )


def test_a_name_that_is_not_known_is_an_error(site: Site) -> None:
    with pytest.raises(DownloadFailed, match=r"its host is not found$") as caught:
        fetch("http://unknown.example.org/")
    assert not caught.value.retryable


def test_the_system_resolver_knows_this_host() -> None:
    assert IPv4Address("127.0.0.1") in asyncio.run(system_resolver("localhost", 80))


def test_the_next_address_is_tried_when_one_can_not_be_connected_to(site: Site) -> None:
    site.pages["/"] = ok(b"x")
    policy = replace(ONLY_THE_SITE, allowed_networks=(*ONLY_THE_SITE.allowed_networks, NOBODY))
    resolver = Resolving({"two.example.org": ["127.0.0.9", SITE], "none.example.org": ["127.0.0.9"]})
    url = site.url("/", "two.example.org")
    assert asyncio.run(download(url, io.BytesIO(), policy, connecting=Connecting(resolver))).size == 1
    url = site.url("/", "none.example.org")
    with pytest.raises(DownloadFailed, match=r"the server can't be connected to$") as caught:
        asyncio.run(download(url, io.BytesIO(), policy, connecting=Connecting(resolver)))
    assert caught.value.retryable
    assert "127.0.0.9" not in caught.value.message


def test_a_download_can_be_cancelled(site: Site) -> None:
    site.pages["/"] = endless(b"HTTP/1.1 200 OK\r\n\r\n", b"x", 0.01)

    async def cancelled() -> None:
        async with asyncio.timeout(0.2):
            await download(site.url("/"), io.BytesIO(), ONLY_THE_SITE)

    with pytest.raises(TimeoutError):
        asyncio.run(cancelled())


def test_logs_do_not_hold_the_query(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    site.pages["/a?token=s3cret"] = redirect("/b?token=s3cret")
    site.pages["/b?token=s3cret"] = ok(b"x")
    fetch(site.url("/a?token=s3cret"))
    with pytest.raises(DownloadFailed, match=r"a\?token=s3cret&no: the server"):
        fetch(site.url("/a?token=s3cret&no"))
    assert "s3cret" not in caplog.text


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate authority of the tests' own, and a certificate for files.example.org and 127.0.0.2."""
    folder = tmp_path_factory.mktemp("tls")
    (folder / "names").write_text(f"subjectAltName=DNS:files.example.org,IP:{SITE}\n")
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    ca = ["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"]
    for arguments in (
        ["req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=test", "-days", "2", *ca],
        ["req", *key, "-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=docduck test"],
        ["x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
         "-out", "cert.pem", "-days", "2", "-extfile", "names"],
    ):  # fmt: skip
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True, timeout=60)
    return folder


@pytest.fixture
def secure(certificates: Path) -> Iterator[tuple[Site, ssl.SSLContext, Canary]]:
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificates / "cert.pem", certificates / "key.pem")
    with running(server) as (site, canary):
        yield site, ssl.create_default_context(cafile=certificates / "ca.pem"), canary


def test_tls_is_for_the_name_though_the_connection_is_to_the_address(
    secure: tuple[Site, ssl.SSLContext, Canary],
) -> None:
    site, tls, _ = secure
    site.pages["/"] = ok(b"secret")
    for host in ("files.example.org", SITE):
        assert fetch(site.url("/", host, "https"), tls=tls)[1] == b"secret"
        assert f"Host: {host}:{site.port}" in site.requests[-1]
    assert site.server_names == ["files.example.org", None]


@pytest.mark.parametrize("host", ["wrong.example.org", "files.example.org"])
def test_a_certificate_for_another_name_or_of_nobody_known_is_refused(
    secure: tuple[Site, ssl.SSLContext, Canary], host: str
) -> None:
    site, tls, _ = secure
    with pytest.raises(DownloadFailed, match="its certificate is not valid for this host") as caught:
        fetch(site.url("/", host, "https"), tls=tls if host == "wrong.example.org" else None)
    assert not caught.value.retryable
    assert site.requests == []


def test_a_server_without_tls_is_told(site: Site) -> None:
    with pytest.raises(DownloadFailed, match=r"can't be connected to|no secure connection could be made"):
        fetch(site.url("/", scheme="https"))


def test_a_server_that_says_nothing_to_tls_is_given_up_in_time() -> None:
    with socket.create_server((SITE, 0)) as silent:
        url = f"https://{SITE}:{silent.getsockname()[1]}/"
        with pytest.raises(DownloadFailed, match="can't be connected to in time") as caught:
            fetch(url, replace(ONLY_THE_SITE, connect_seconds=0.3))
    assert caught.value.retryable


def test_a_redirect_from_https_to_http_is_followed_if_allowed(
    secure: tuple[Site, ssl.SSLContext, Canary], site: Site
) -> None:
    safe, tls, canary = secure
    site.pages["/"] = ok(b"plain")
    safe.pages["/"] = redirect(site.url("/"))
    safe.pages["/inside"] = redirect(f"http://localhost:{canary.port}/")
    assert fetch(safe.url("/", "files.example.org", "https"), tls=tls)[1] == b"plain"
    with pytest.raises(UrlNotAllowed, match="redirects to a forbidden address"):
        fetch(safe.url("/inside", "files.example.org", "https"), tls=tls)
    assert canary.connections == 0


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("", ""),
        ("inline", ""),
        ("attachment; filename=a.pdf", "a.pdf"),
        ('attachment; filename="a b.pdf"', "a b.pdf"),
        ('attachment;FileName = "a b.pdf" ;x=y', "a b.pdf"),
        (r'attachment; filename="a \"b\" \\ c.pdf"', r'a "b" \ c.pdf'),
        ('attachment; filename="a; filename=b.pdf"', "a; filename=b.pdf"),
        ("attachment; filename=a.pdf; filename*=UTF-8''%e2%82%ac.pdf", "€.pdf"),
        ("attachment; filename*=utf-8'de'%e2%82%ac.pdf; filename=a.pdf", "€.pdf"),
        ("attachment; filename*=ISO-8859-1''%a3.pdf", "£.pdf"),
        ("attachment; filename*=UTF-7''x; filename=a.pdf", "a.pdf"),
        ("attachment; filename*=x; filename=a.pdf", "a.pdf"),
        ("attachment; filename*=UTF-8''%ff.pdf", "\ufffd.pdf"),
        ('attachment; filename="../../etc/passwd"', "../../etc/passwd"),
        ("attachment; filename=é.pdf", "é.pdf"),
        ("attachment; filename=a.pdf; filename=b.pdf", "a.pdf"),
    ],
)
def test_the_name_in_a_header(header: str, name: str) -> None:
    assert announced_name(header) == name


@pytest.mark.parametrize(
    ("path", "name"),
    [("/", ""), ("/a/b.pdf", "b.pdf"), ("/a/b.pdf/", "b.pdf"), ("/a%20b?x=/c", "a b"), ("/%ff", "\ufffd")],
)
def test_the_name_in_a_path(path: str, name: str) -> None:
    assert name_in_path(path) == name


@given(st.text())
def test_no_header_breaks_the_name(text: str) -> None:
    announced_name(f'attachment; filename="{text}"; filename*={text}')
    announced_name(text)
