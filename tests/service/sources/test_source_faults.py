"""What goes wrong at sources: it is told, tried again, and nothing is lost or doubled."""

from __future__ import annotations

import datetime as dt
import mailbox
import os
import shutil
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import obstore
import pytest

from docduck.service.core.installation import Installation, open_installation
from docduck.service.pipeline.source_specs import BucketSpec, MailboxSpec, UrlSpec
from docduck.service.sources.intake import describe_source, ingest, inspect_source
from docduck.service.sources.remote_sources import RemoteSource, bucket_source, mailbox_source, url_source
from docduck.service.sources.report import IntakeReport
from docduck.service.sources.sources import FolderSource, Source
from docduck.service.sources.timed_intake import TimedIntake
from docduck.sources.bucket.reader import BucketReader
from docduck.sources.mailbox.imap_reader import ImapReader
from docduck.sources.mailbox.local_reader import MaildirReader, MboxReader
from docduck.sources.remote import Cursor, NewItems
from tests.certificate import make_certificate
from tests.conftest import MakeInstallation
from tests.cutting_proxy import cutting_proxy
from tests.mail_server import PASSWORD, MailServer, running_mail_server
from tests.object_store import KEYS, new_bucket, object_store
from tests.outbound.web import Site, ok, redirect, reply, running
from tests.service.processing.threads import at_once
from tests.service.sources.intake_world import (
    assert_files_match,
    documents,
    invoices,
    objects_of,
    outcomes,
    pass_time,
    rows,
    wait_of,
    web,
)
from tests.service.sources.test_mailbox_source import mail

_USERS = iter(f"fault{number}" for number in range(1000))
_HTML = "Content-Type: text/html"
TWO_DAYS = dt.timedelta(days=2)


@pytest.fixture(scope="module")
def mails() -> Iterator[MailServer]:
    with running_mail_server() as server:
        yield server


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    with object_store() as server:
        yield server


@pytest.fixture
def nobody() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@pytest.fixture
def user() -> str:
    return next(_USERS)


def post(port: int, user: str, **more: Any) -> RemoteSource:
    spec = {
        "name": "post",
        "parser": "invoices",
        "mailbox": f"imap+plain://127.0.0.1:{port}",
        "username": user,
        "password": PASSWORD,
        **more,
    }
    return mailbox_source(MailboxSpec.model_validate(spec))


def local(path: Path, **more: Any) -> RemoteSource:
    return mailbox_source(MailboxSpec(name="local", parser="invoices", mailbox=str(path), **more))


def index(*names: str) -> bytes:
    return ok("".join(f'<a href="{name}">x</a>' for name in names).encode(), _HTML)


def test_a_server_that_is_down_is_told_and_tried_soon(
    inst: Installation, store: str, user: str, nobody: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    nowhere = f"127.0.0.1:{nobody}"
    bucket = new_bucket(store)
    for source in (
        url_source(UrlSpec(name="web", parser="invoices", url=f"http://{nowhere}/", private=True)),
        post(nobody, user),
        objects_of(f"http://{nowhere}", bucket),
    ):
        message = inspect_source(inst, source).message
        assert f"{source.place} can't be read: " in message
        assert 10 < wait_of(inst, source.name) <= 15
        assert "Next look at" in describe_source(inst, source)
        pass_time(monkeypatch, dt.timedelta(seconds=16))
        inspect_source(inst, source)
        assert 20 < wait_of(inst, source.name) <= 30


def test_a_certificate_that_nobody_vouches_for_is_told(inst: Installation, tmp_path: Path) -> None:
    invoices(inst)
    certificate, key = make_certificate(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate, key)
    with running(tls) as (site, _):
        spec = UrlSpec(name="web", parser="invoices", url=site.url("/", scheme="https"), private=True)
        message = inspect_source(inst, url_source(spec)).message
        assert "its certificate is not valid for this host" in message
        assert site.requests == [], "nothing is sent to it"
    assert wait_of(inst) > 600, "trying again soon doesn't help"


def test_a_refused_password_is_told_and_not_shown(inst: Installation, site: Site, store: str) -> None:
    invoices(inst)
    site.pages["/"] = reply("401 Unauthorized")
    source = web(site, username="ann", password="s3cret")
    message = inspect_source(inst, source).message
    assert "the server answered 401 Unauthorized" in message and "s3cret" not in message
    site.pages |= dict.fromkeys(("/b?list-type=2", "/b?list-type=2&"), reply("403 Forbidden"))
    forbidding = BucketSpec(
        name="partners", parser="invoices", bucket="s3://b", endpoint=site.url(""), **KEYS
    )
    message = inspect_source(inst, bucket_source(forbidding)).message
    assert "can't be read" in message and "s3cret" not in message


def test_a_place_that_is_gone_is_told_and_taken_up_again(
    inst: Installation, tmp_path: Path, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    folder = FolderSource("scans", tmp_path / "scans", parser="invoices")
    assert "There is no folder" in inspect_source(inst, folder).message
    assert ingest(inst, folder).registered == 0
    gone = objects_of(store, new_bucket(store), bucket="s3://there-is-none")
    assert "there is no such bucket" in inspect_source(inst, gone).message
    box = local(tmp_path / "Maildir")
    assert "There is no file" in inspect_source(inst, box).message
    mailbox.Maildir(tmp_path / "Maildir").add(mail(1))
    pass_time(monkeypatch, TWO_DAYS)
    assert ingest(inst, box).registered == 1
    shutil.rmtree(tmp_path / "Maildir" / "cur")
    pass_time(monkeypatch, TWO_DAYS)
    assert "has no folders new and cur" in inspect_source(inst, box).message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_told(inst: Installation, tmp_path: Path) -> None:
    invoices(inst)
    mailbox.Maildir(tmp_path / "Maildir").add(mail(1))
    (tmp_path / "Maildir" / "new").chmod(0)
    assert "it can't be read (Permission denied)" in inspect_source(inst, local(tmp_path / "Maildir")).message


def test_a_connection_cut_in_the_middle_of_a_mail_loses_and_doubles_nothing(
    inst: Installation, mails: MailServer, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    large = mail(3) + b"x" * 3_000_000
    mails.deliver(user, mail(1), mail(2), large, mail(4))
    with cutting_proxy(mails.port) as proxy:
        source = post(proxy.port, user)
        proxy.most = 1_500_000
        report = ingest(inst, source)
        assert report.registered == 2, "what came before is kept"
        assert "the connection failed" in report.messages[-1]
        assert sorted(outcomes(inst).values()).count("waiting") == 1
        pass_time(monkeypatch, TWO_DAYS)
        assert ingest(inst, source).registered == 1, "it doesn't keep the next one waiting"
        assert documents(inst) == ["Invoice 1.eml", "Invoice 2.eml", "Invoice 4.eml"]
        proxy.most = None
        pass_time(monkeypatch, TWO_DAYS)
        assert ingest(inst, source).registered == 1
    assert {row.size for row in rows(inst) if row.name == "Invoice 3.eml"} == {_on_the_wire(large)}
    assert set(outcomes(inst).values()) == {"registered"}
    assert_files_match(inst)


def _on_the_wire(message: bytes) -> int:
    return len(message.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))


def test_what_was_to_be_done_with_a_mail_is_done_after_a_cut(
    inst: Installation, mails: MailServer, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    mails.deliver(user, mail(1))
    source = post(mails.port, user, after="seen")

    def cut(reader: ImapReader, items: Any) -> None:
        raise ConnectionResetError

    with monkeypatch.context() as patch, pytest.raises(ConnectionResetError):
        patch.setattr(ImapReader, "finish", cut)
        ingest(inst, source)
    assert len(rows(inst)) == 1
    assert inspect_source(inst, source).new == 1, "it is still to be marked"
    assert ingest(inst, source).registered == 0
    assert mails.flags(user) and "Seen" in mails.flags(user)[0]
    assert inspect_source(inst, source).new == 0


@pytest.mark.parametrize("order", ["oldest", "newest"])
def test_many_old_mails_are_taken_in_by_steps(
    inst: Installation, mails: MailServer, user: str, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def over(stretch: TimedIntake) -> bool:
        stretch.is_over = True
        return True

    monkeypatch.setattr(TimedIntake, "ends", over)
    invoices(inst)
    mails.deliver(user, *map(mail, range(4)))
    source = post(mails.port, user, order=order)
    seen: list[str] = []
    for _ in range(4):
        assert inspect_source(inst, source).new == 4 - len(seen)
        assert ingest(inst, source).registered == 1
        (name,) = set(documents(inst)) - set(seen)
        seen.append(name)
    wanted = [f"Invoice {number}.eml" for number in range(4)]
    assert seen == (wanted if order == "oldest" else wanted[::-1])
    assert inspect_source(inst, source).new == 0


def test_a_feed_of_many_links_is_taken_in_by_steps(
    make_installation: MakeInstallation, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(intake_batch=12)
    invoices(inst)
    count = 120
    items = "".join(f"<item><link>/{number}.txt</link></item>" for number in range(count))
    feed = f"<rss><channel>{items}</channel></rss>".encode()
    site.pages["/"] = ok(feed, "Content-Type: application/rss+xml", 'ETag: "1"')
    site.pages |= {f"/{number}.txt": ok(f"{number}".encode()) for number in range(0, count, 6)}
    source = web(site, links="*.txt")
    assert inspect_source(inst, source).new == count
    report = ingest(inst, source)
    assert (report.registered, report.vanished) == (20, count - 20)
    pass_time(monkeypatch, TWO_DAYS)
    site.pages["/"] = reply("304 Not Modified")
    assert inspect_source(inst, source).new == 0


def test_an_endless_body_and_redirects_in_a_circle_end(
    make_installation: MakeInstallation, site: Site
) -> None:
    inst = make_installation(max_file_bytes=1_000_000)
    invoices(inst)

    def endless(stream: socket.socket) -> None:
        stream.sendall(f"HTTP/1.1 200 OK\r\n{_HTML}\r\n\r\n".encode())
        while True:
            stream.sendall(b"x" * 65536)

    site.pages["/"] = endless
    for name, links in (("one", None), ("all", "*")):
        assert "bytes" in inspect_source(inst, web(site, name=name, links=links)).message
    site.requests.clear()
    site.pages |= {"/": redirect("/b"), "/b": redirect("/")}
    assert "more than 5 redirects" in inspect_source(inst, web(site, name="circle")).message
    assert len(site.requests) == 6


def test_a_body_that_trickles_keeps_no_tick(make_installation: MakeInstallation, site: Site) -> None:
    inst = make_installation(look_seconds=0.3)
    invoices(inst)
    site.pages["/"] = _trickle
    for name, links in (("one", None), ("all", "*")):
        begin = time.monotonic()
        message = inspect_source(inst, web(site, name=name, links=links)).message
        assert "takes longer than 0.3 s" in message
        assert time.monotonic() - begin < 10


def _trickle(stream: socket.socket) -> None:
    stream.sendall(f"HTTP/1.1 200 OK\r\n{_HTML}\r\n\r\n".encode())
    while True:
        stream.sendall(b"x")
        time.sleep(0.02)


def test_a_slow_document_keeps_no_other_one(
    make_installation: MakeInstallation, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(source_seconds=0.5)
    invoices(inst)
    site.pages |= {"/": index("1.txt", "2.txt", "3.txt"), "/2.txt": ok(b"two"), "/3.txt": ok(b"three")}
    site.pages["/1.txt"] = _trickle
    source = web(site, links="*.txt")
    begin = time.monotonic()
    ingest(inst, source)
    pass_time(monkeypatch, TWO_DAYS)
    ingest(inst, source)
    assert time.monotonic() - begin < 20
    assert documents(inst) == ["2.txt", "3.txt"]
    pass_time(monkeypatch, TWO_DAYS)
    site.pages["/1.txt"] = ok(b"one")
    ingest(inst, source)
    assert documents(inst) == ["1.txt", "2.txt", "3.txt"]


def test_a_host_that_fails_keeps_no_other_one_and_is_not_pressed(
    make_installation: MakeInstallation, site: Site, nobody: int
) -> None:
    inst = make_installation(outbound_allowed_networks="127.0.0.1/32")
    invoices(inst)
    dead = [f"http://127.0.0.1:{nobody}/{number}.txt" for number in range(10)]
    site.pages |= {"/": index(*dead, "a.txt"), "/a.txt": ok(b"a")}
    source = web(site, links="*.txt", every="1m")
    report = ingest(inst, source)
    assert report.registered == 1
    assert sum("can't be connected to" in one for one in report.messages) == 3
    assert outcomes(inst)[dead[9]] == "waiting"
    assert wait_of(inst) <= 60, "the source itself is looked at as often as before"


def test_a_server_that_asks_to_wait_is_not_pressed(
    inst: Installation, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    source = web(site, links="*.txt")
    date = "Date: Fri, 01 Jan 2010 00:00:00 GMT"
    for status, headers, seconds in (
        ("503 Service Unavailable", ["Retry-After: 1800"], 1800),
        ("429 Too Many Requests", ["Retry-After: 1800"], 1800),
        # A time counts from the server's clock, and a day is the most.
        ("503 Service Unavailable", [date, "Retry-After: Fri, 01 Jan 2010 00:10:00 GMT"], 600),
        ("503 Service Unavailable", ["Retry-After: 999999999999"], 86_400),
    ):
        site.pages["/"] = reply(status, *headers)
        assert status in inspect_source(inst, source).message
        assert seconds - 10 < wait_of(inst) <= seconds
        pass_time(monkeypatch, TWO_DAYS)
    assert wait_of(inst) < 0
    names = [f"{number}.txt" for number in range(5)]
    site.pages["/"] = index(*names)
    site.pages |= {f"/{name}": reply("429 Too Many Requests", "Retry-After: 1800") for name in names}
    site.requests.clear()
    ingest(inst, source)
    assert len(site.requests) == 2, "the page, and one of its links"
    assert wait_of(inst) == 1800


def test_a_clock_that_was_wrong_keeps_no_source_from_being_looked_at(
    inst: Installation, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    site.pages["/"] = ok(b"one", "Last-Modified: Fri, 01 Jan 2100 00:00:00 GMT")
    source = web(site)
    with monkeypatch.context() as patch:
        pass_time(patch, dt.timedelta(days=1000))
        assert ingest(inst, source).registered == 1
        assert ingest(inst, source).registered == 0
    site.pages["/"] = ok(b"two", "Last-Modified: Fri, 01 Jan 2010 00:00:00 GMT")
    assert ingest(inst, source).registered == 1, "neither the server's clock nor ours says what is new"
    asked = len(site.requests)
    ingest(inst, source)
    assert len(site.requests) == asked


def _meanwhile(monkeypatch: pytest.MonkeyPatch, reader: type[Any], change: Callable[[], object]) -> None:
    """Let something happen between a look and what is fetched then."""
    look = reader.look

    def looking(self: Any, cursor: Cursor) -> NewItems:
        found: NewItems = look(self, cursor)
        change()
        return found

    monkeypatch.setattr(reader, "look", looking)


def test_objects_that_change_while_a_bucket_is_read(
    inst: Installation, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    bucket = new_bucket(store)
    for name in ("a.txt", "b.txt", "c.txt"):
        obstore.put(bucket, name, name.encode())
    source = objects_of(store, bucket, after="delete")

    def change() -> None:
        obstore.delete(bucket, "a.txt")
        obstore.put(bucket, "b.txt", b"another")

    with monkeypatch.context() as patch:
        _meanwhile(patch, BucketReader, change)
        report = ingest(inst, source)
    assert (report.registered, report.vanished) == (2, 1)
    pass_time(monkeypatch, TWO_DAYS)
    ingest(inst, source)
    assert documents(inst) == ["b.txt", "c.txt"], "what was read is what is there"
    contents = {inst.files.path(row.sha256).read_bytes() for row in rows(inst)}
    assert contents == {b"another", b"c.txt"}
    assert [one["path"] for batch in obstore.list(bucket) for one in batch] == []


def test_mails_that_move_while_a_maildir_is_read(
    inst: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    box = mailbox.Maildir(tmp_path / "Maildir")
    for number in (1, 2):
        box.add(mail(number))
    moving, gone = sorted((tmp_path / "Maildir" / "new").iterdir())

    def change() -> None:
        moving.rename(tmp_path / "Maildir" / "cur" / f"{moving.name}:2,S")
        gone.unlink()

    source = local(tmp_path / "Maildir")
    with monkeypatch.context() as patch:
        _meanwhile(patch, MaildirReader, change)
        assert ingest(inst, source).vanished == 2
    pass_time(monkeypatch, TWO_DAYS)
    assert ingest(inst, source).registered == 1
    assert len(rows(inst)) == 1


def test_an_mbox_file_that_is_written_while_it_is_read(
    make_installation: MakeInstallation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(settle_seconds=30)
    invoices(inst)
    path = tmp_path / "post.mbox"
    whole = b"".join(b"From x\n" + mail(number) + b"\n" for number in (1, 2))
    path.write_bytes(whole[:-20])
    source = local(path)
    assert "may still be being written" in inspect_source(inst, source).message
    os.utime(path, (time.time() - 60,) * 2)
    pass_time(monkeypatch, TWO_DAYS)
    with monkeypatch.context() as patch:
        _meanwhile(patch, MboxReader, lambda: path.write_bytes(whole))
        assert ingest(inst, source).registered == 0, "half a mail is none"
    os.utime(path, (time.time() - 60,) * 2)
    pass_time(monkeypatch, TWO_DAYS)
    assert ingest(inst, source).registered == 2
    assert b"Number: 2" in inst.files.path(rows(inst)[1].sha256).read_bytes()


def test_mails_that_go_while_a_mailbox_is_read(
    inst: Installation, mails: MailServer, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    mails.deliver(user, mail(1), mail(2))
    mails.deliver(user, mail(3), folder="Bills")

    def change() -> None:
        with mails.connected(user) as client:
            client.select("INBOX")
            client.store("1", "+FLAGS", "\\Deleted")
            client.expunge()
            client.close()
            client.delete("Bills")

    with monkeypatch.context() as patch:
        _meanwhile(patch, ImapReader, change)
        report = ingest(inst, post(mails.port, user, folders=["INBOX", "Bills"]))
    assert documents(inst) == ["Invoice 2.eml"]
    assert report.vanished == 2


def test_two_daemons_at_the_same_sources_double_nothing(
    any_inst: Installation, site: Site, mails: MailServer, store: str, user: str, tmp_path: Path
) -> None:
    invoices(any_inst)
    count = 10
    names = [f"{number}.txt" for number in range(count)]
    site.pages["/"] = index(*names)
    site.pages |= {f"/{name}": ok(f"page {name}".encode()) for name in names}
    mails.deliver(user, *map(mail, range(count)))
    bucket, folder = new_bucket(store), tmp_path / "scans"
    folder.mkdir()
    for name in names:
        obstore.put(bucket, name, f"object {name}".encode())
        (folder / name).write_text(f"file {name}")
    sources: list[Source] = [
        web(site, links="*.txt"),
        post(mails.port, user, after="delete"),
        objects_of(store, bucket, after="delete"),
        FolderSource("scans", folder, parser="invoices", after="delete"),
    ]
    other = open_installation(any_inst.settings)
    reports: list[IntakeReport] = []
    failed: list[BaseException] = []

    def daemon(inst: Installation) -> None:
        try:
            reports.extend(ingest(inst, source) for source in sources)
        except BaseException as error:
            failed.append(error)

    at_once(partial(daemon, any_inst), partial(daemon, other))
    other.close()
    assert failed == []
    assert sum(report.registered for report in reports) == len(sources) * count
    assert len(rows(any_inst)) == len(sources) * count
    assert_files_match(any_inst)
