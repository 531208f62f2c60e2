"""Sources: what a tick costs, old mails at first contact, and how soon a document is a row."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from email.message import EmailMessage
from functools import partial
from pathlib import Path

from docduck import clock
from docduck.service.core.installation import Installation, open_installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.pipeline.source_specs import MailboxSpec, UrlSpec
from docduck.service.sources import ledger
from docduck.service.sources.intake import ingest, inspect_source
from docduck.service.sources.ledger import ItemOutcome
from docduck.service.sources.remote_intake import Progress, read_progress, write_progress
from docduck.service.sources.remote_sources import RemoteSource, mailbox_source, url_source
from docduck.service.sources.scan import scan
from docduck.service.sources.sources import FolderSource
from docduck.settings import Settings
from tests.benchmarks.documents import write_documents
from tests.benchmarks.figures import Figure
from tests.benchmarks.running import Running, running
from tests.benchmarks.running import wait_for as wait_until
from tests.mail_server import PASSWORD, MailServer, running_mail_server
from tests.outbound.web import ok
from tests.outbound.web import running as running_site

FULL_DOCUMENTS = 5000
FILES, MAILS, LINKS = 200_000, 50_000, 100_000
FOLDER_TICK_SECONDS, MAILBOX_TICK_SECONDS = 3.0, 2.0
FILE_SECONDS, MAIL_SECONDS = 8.0, 15.0
_TIMES = 3
_STEP = 10_000
_PATIENCE_SECONDS = 120.0


def sources(folder: Path, documents: int) -> Iterator[Figure]:
    """Measure with all that is known, or as much as ``documents`` is a part of 5,000."""
    share = min(1.0, documents / FULL_DOCUMENTS)
    inst = open_installation(Settings(home=folder / "known"))
    try:
        create_parser(inst, inst.team_id, NewParser("Invoices", slug="invoices"))
        yield from _known_files(inst, folder / "scans", int(FILES * share))
        yield from _links(inst, int(LINKS * share))
        with running_mail_server() as server:
            yield from _mails(inst, server, int(MAILS * share))
    finally:
        inst.close()
    with running_mail_server() as server:
        yield from _arrivals(folder, server)


def _known_files(inst: Installation, folder: Path, count: int) -> Iterator[Figure]:
    for number in range(count):
        path = folder / f"{number // 1000:03}" / f"{number}.txt"
        if number % 1000 == 0:
            path.parent.mkdir(parents=True)
        path.write_bytes(b"x")
    time.sleep(inst.settings.settle_seconds)
    source = FolderSource("scans", folder, parser="invoices")
    lines = [one.line(ItemOutcome.REGISTERED, "") for one in scan(inst, source).files]
    for start in range(0, count, _STEP):
        with inst.catalog.transaction() as session:
            ledger.write(session, source.name, lines[start : start + _STEP])
    begin = time.monotonic()
    state = inspect_source(inst, source)
    assert state.new == 0, state.message
    cold = time.monotonic() - begin
    seconds = _tick(inst, source, state.signature)
    yield Figure(f"tick, {count:,} known files", seconds, "s", FOLDER_TICK_SECONDS)
    (folder / "000" / "new.txt").write_bytes(b"new")
    time.sleep(inst.settings.settle_seconds)
    begin = time.monotonic()
    assert inspect_source(inst, source, state.signature).new == 1
    seconds = time.monotonic() - begin
    note = f"the first tick of a process: {cold:.2f} s"
    yield Figure("  one file is new", seconds, "s", FOLDER_TICK_SECONDS, note=note)


def _tick(inst: Installation, source: FolderSource | RemoteSource, last: str | None = None) -> float:
    begin = time.monotonic()
    state = inspect_source(inst, source, last)
    assert state.new == 0, state.message
    return time.monotonic() - begin


def _links(inst: Installation, count: int) -> Iterator[Figure]:
    items = "".join(f"<item><link>/{number}.txt</link></item>" for number in range(count))
    with running_site() as (site, _):
        site.pages["/"] = ok(f"<rss><channel>{items}</channel></rss>".encode(), "Content-Type: text/xml")
        spec = UrlSpec(name="web", parser="invoices", url=site.url("/"), links="*.txt", private=True)
        begin = time.monotonic()
        assert inspect_source(inst, url_source(spec)).new == count
        yield Figure(f"tick, a feed of {count:,} new links", time.monotonic() - begin, "s")


def _mails(inst: Installation, server: MailServer, count: int) -> Iterator[Figure]:
    """Take in all mails of a mailbox by steps; then look at it again."""
    _fill(server, "known", count)
    source = _mailbox(server, "known")
    with server.connected("known") as client:
        client.select("INBOX", readonly=True)  # the server makes its index
    begin = time.monotonic()
    assert inspect_source(inst, source).new == count
    yield Figure(f"tick, first contact with {count:,} mails", time.monotonic() - begin, "s")
    begin, taken, stretches = time.monotonic(), 0, 0
    while taken < count:
        report = ingest(inst, source)
        assert report.registered, report.messages
        taken += report.registered
        stretches += 1
    assert taken == count
    note = f"{stretches} stretches of at most {inst.settings.source_seconds:g} s"
    yield Figure("  all of them taken in", time.monotonic() - begin, "s", note=note)
    _make_due(inst, source.name, forget=False)
    seconds = _tick(inst, source)
    _make_due(inst, source.name, forget=True)
    note = f"without what the last look has stored: {_tick(inst, source):.2f} s"
    yield Figure(f"tick, {count:,} known mails", seconds, "s", MAILBOX_TICK_SECONDS, note=note)


def _make_due(inst: Installation, name: str, *, forget: bool) -> None:
    with inst.catalog.transaction() as session:
        known = read_progress(session, inst.team_id, name)
        write_progress(session, inst.team_id, name, Progress({} if forget else known.cursor, clock.now()))


def _mailbox(server: MailServer, user: str) -> RemoteSource:
    return mailbox_source(
        MailboxSpec(
            name="post",
            parser="invoices",
            mailbox=f"imaps://localhost:{server.tls_port}",
            username=user,
            password=PASSWORD,
            ca=server.ca,
        )
    )


def _fill(server: MailServer, user: str, count: int) -> None:
    """Write mails into a user's Maildir, as a delivery agent does."""
    server.deliver(user, _mail(0))
    (first,) = (server.folder / "homes" / user / "Maildir" / "new").iterdir()
    owner = first.stat()
    for number in range(1, count):
        path = first.with_name(f"{number}.M{number}P1.host")
        path.write_bytes(_mail(number))
        os.chown(path, owner.st_uid, owner.st_gid)


def _mail(number: int, file: Path | None = None) -> bytes:
    message = EmailMessage()
    message["Subject"] = f"Mail {number}"
    message["From"] = "ann@example.org"
    message["Message-ID"] = f"<benchmark-{number}@example.org>"
    message.set_content(f"mail {number}\n")
    if file is not None:
        message.add_attachment(file.read_bytes(), maintype="application", subtype="pdf", filename=file.name)
    return message.as_bytes()


def _arrivals(folder: Path, server: MailServer) -> Iterator[Figure]:
    """The time from a file, or a mail, to its row in the analysts' database, while nothing else happens."""
    home = folder / "home"
    home.mkdir()
    files = write_documents(folder / "documents", 2 * _TIMES)
    (home / "pipeline.yaml").write_text(
        f"""sources:
- name: post
  mailbox: imaps://localhost:{server.tls_port}
  username: ann
  password: {PASSWORD}
  ca: {server.ca}
  every: 5s
  parser: invoices
"""
    )
    with running(home, 2) as up:
        dropped = [_row(up, partial(up.drop, [file])) for file in files[:_TIMES]]
        yield _slowest("a file dropped while idle is a row", dropped, FILE_SECONDS)
        mailed = [
            _row(up, partial(server.deliver, "ann", _mail(number, file)))
            for number, file in enumerate(files[_TIMES:])
        ]
        yield _slowest("a mail that arrives while idle is a row", mailed, MAIL_SECONDS)


def _row(up: Running, arrive: Callable[[], object]) -> float:
    wait_until(lambda: up.live_runs() == 0, _PATIENCE_SECONDS, "rest")
    before, _ = up.published()
    begin = time.time()
    arrive()
    return up.wait_for_published(before + 1, _PATIENCE_SECONDS) - begin


def _slowest(name: str, seconds: Sequence[float], limit: float) -> Figure:
    note = f"the slowest of {len(seconds)}: {', '.join(f'{one:.1f}' for one in seconds)}"
    return Figure(name, max(seconds), "s", limit, note=note)
