from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from docduck.errors import InputError, TooLarge, Transient
from docduck.outbound.errors import DownloadFailed, UrlNotAllowed
from docduck.outbound.resolving import Connecting
from docduck.service.core.installation import Installation
from docduck.service.uploads.file_uploads import UploadedFile
from docduck.service.uploads.url_uploads import check_urls, fetch_urls
from tests.conftest import MakeInstallation
from tests.outbound.web import SITE, Resolving, Site, ok, reply

ALLOWED = {"outbound_allowed_networks": (ip_network(f"{SITE}/32"),)}


def stored(inst: Installation) -> list[Path]:
    return [path for path in (inst.settings.home / "files").rglob("*") if path.is_file()]


def fetch(
    inst: Installation,
    urls: Sequence[str],
    prepare: Callable[[list[UploadedFile]], Callable[[], list[UploadedFile]]] | None = None,
) -> list[UploadedFile]:
    def keep(files: list[UploadedFile]) -> Callable[[], list[UploadedFile]]:
        assert list(inst.files.hashes()) == [], "nothing is in the store before it is judged"
        return lambda: files

    return asyncio.run(fetch_urls(inst, urls, prepare or keep, connecting=Connecting(Resolving({}))))


def endless(connection: Any) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        connection.sendall(b"x")
        time.sleep(0.05)


def test_files_come_in_the_order_of_their_urls(make_installation: MakeInstallation, site: Site) -> None:
    inst = make_installation(**ALLOWED, max_downloads=4)

    def slowly(connection: Any) -> None:
        time.sleep(0.2)
        connection.sendall(ok(b"0" * 100_000))

    bodies = [b"%d" % number * 100_000 for number in range(8)]
    for number, body in enumerate(bodies):
        site.pages[f"/{number}.pdf"] = ok(body)
    site.pages["/0.pdf"] = slowly
    files = fetch(inst, [site.url(f"/{number}.pdf") for number in range(8)])
    assert [file.name for file in files] == [f"{number}.pdf" for number in range(8)]
    assert [file.stored.sha256 for file in files] == [hashlib.sha256(body).hexdigest() for body in bodies]
    assert {file.content_type for file in files} == {"text/plain"}
    assert [inst.files.path(file.stored.sha256).read_bytes() for file in files] == bodies
    assert len(stored(inst)) == 8


def test_one_url_that_fails_ends_them_all(make_installation: MakeInstallation, site: Site) -> None:
    inst = make_installation(**ALLOWED, max_file_bytes=1000)
    site.pages["/good"] = ok(b"good")
    site.pages["/large"] = ok(b"x" * 1001)
    site.pages["/redirect"] = reply("302 Found", "Location: http://169.254.169.254/")
    site.pages["/endless"] = endless
    failures: list[tuple[str, type[InputError], str]] = [
        ("/missing", DownloadFailed, "Could not download {url}: the server answered 404 Not Found"),
        ("/large", TooLarge, "File too large"),
        ("/redirect", UrlNotAllowed, "URL is not allowed: {url} (it redirects to a forbidden address)"),
    ]
    for bad, error, message in failures:
        start = time.monotonic()
        with pytest.raises(error) as caught:
            fetch(inst, [site.url("/good"), site.url(bad), site.url("/endless")])
        assert time.monotonic() - start < 20
        assert caught.value.message == message.format(url=site.url(bad))
        assert caught.value.path == "urls.1"
        assert caught.value.details == (("urls.1", caught.value.message),)
    assert stored(inst) == []

    def refuse(files: list[UploadedFile]) -> Callable[[], list[UploadedFile]]:
        raise InputError("no")

    with pytest.raises(InputError, match="no"):
        fetch(inst, [site.url("/good")], refuse)
    assert stored(inst) == [], "files that are refused are not kept"


def test_what_is_too_large_together_is_refused(make_installation: MakeInstallation, site: Site) -> None:
    inst = make_installation(**ALLOWED, max_upload_bytes=2999)
    site.pages.update({f"/{number}": ok(b"%d" % number * 1000) for number in range(3)})
    with pytest.raises(TooLarge, match="File too large"):
        fetch(inst, [site.url(f"/{number}") for number in range(3)])
    assert stored(inst) == []
    assert len(fetch(inst, [site.url(f"/{number}") for number in range(2)])) == 2


def test_a_caller_that_goes_away_leaves_nothing(make_installation: MakeInstallation, site: Site) -> None:
    inst = make_installation(**ALLOWED)
    site.pages["/"] = endless

    async def abandoned(seconds: float | None) -> None:
        async with asyncio.timeout(0.5 if seconds is None else None):
            await fetch_urls(inst, [site.url("/")] * 3, lambda files: lambda: files, seconds)

    with pytest.raises(TimeoutError):
        asyncio.run(abandoned(None))
    with pytest.raises(Transient, match="were not fetched in"):
        asyncio.run(abandoned(0.5))
    assert stored(inst) == []


def test_no_more_are_fetched_at_a_time_than_the_setting_says(
    make_installation: MakeInstallation, site: Site
) -> None:
    inst = make_installation(**ALLOWED, max_downloads=2)
    now, most = [0], [0]

    def counted(connection: Any) -> None:
        now[0] += 1
        most[0] = max(most[0], now[0])
        time.sleep(0.05)
        now[0] -= 1
        connection.sendall(ok(b"x"))

    site.pages["/"] = counted
    assert len(fetch(inst, [site.url("/")] * 8)) == 8
    assert most == [2]
    assert len(stored(inst)) == 1, "the same bytes stand once"


def test_urls_are_checked_before_any_is_fetched(make_installation: MakeInstallation, site: Site) -> None:
    inst = make_installation(**ALLOWED)
    with pytest.raises(UrlNotAllowed, match=r"URL is not allowed: ftp://x\.example\.org/") as caught:
        fetch(inst, [site.url("/"), "ftp://x.example.org/"])
    assert caught.value.path == "urls.1"
    assert site.requests == []
    check_urls(inst, [site.url("/"), "https://files.example.org/"])
    for count in (0, 21):
        with pytest.raises(InputError, match=r"^urls must contain between 1 and 20 items$") as wrong:
            check_urls(inst, ["https://files.example.org/"] * count)
        assert wrong.value.path == "urls"
