"""Soak: mails, files and URLs are taken in while everything is killed; none is lost or doubled."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

from sqlalchemy import select

from docduck.catalog.models import Document, IntakeEntry
from docduck.service.core.installation import Installation, open_installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.settings import Settings
from tests.benchmarks.figures import Figure
from tests.benchmarks.losses import rows_off
from tests.mail_server import PASSWORD, MailServer, running_mail_server
from tests.outbound.web import Site, ok, running
from tests.system import truth
from tests.system.docduck import Docduck
from tests.waiting import wait_for

KILLS, FULL_DOCUMENTS, FEWEST_KILLS = 10, 5000, 2
SEED = 20261122
_MAILS, _FILES, _URLS = 2000, 2000, 500
_LONGEST_PAUSE = 20.0
_REST_SECONDS = 1800.0
_SLUGS = ("mails", "files", "urls")


def soak(folder: Path, documents: int) -> Iterator[Figure]:
    """Take in 4,500 documents in ``folder``, or as many as a part of 5,000, and kill everything meanwhile."""
    share = min(1.0, documents / FULL_DOCUMENTS)
    mails, files, urls = (max(10, int(count * share)) for count in (_MAILS, _FILES, _URLS))
    kills = max(FEWEST_KILLS, int(KILLS * share))
    chance = random.Random(SEED)
    docduck = Docduck(folder / "home", intake_batch=50)
    inst = open_installation(Settings(home=docduck.home))
    for slug in _SLUGS:
        create_parser(inst, inst.team_id, NewParser(slug.title(), slug=slug))
    with running_mail_server() as server, running() as (site, _):
        _fill(server, site, docduck.inbox / "files", mails, files, urls)
        _write_pipeline(docduck.home / "pipeline.yaml", server, site)
        try:
            docduck.start()
            begin = time.monotonic()
            for _ in range(kills):
                time.sleep(chance.uniform(1, _LONGEST_PAUSE))
                docduck.kill()
                docduck.launch()
                docduck.wait_until_ready()
            wanted = {"mails": mails, "files": files, "urls": urls}
            wait_for(
                lambda: _at_rest(docduck, inst, sum(wanted.values())),
                _REST_SECONDS,
                lambda: (truth.work_left(inst), _counts(inst)),
            )
            seconds = time.monotonic() - begin
            docduck.stop()
            yield Figure("kills of everything", kills, "")
            yield Figure("all taken in and read after", seconds, "s", note=str(wanted))
            yield from _compare(docduck, inst, wanted)
            truth.assert_nothing_is_held(inst)
            truth.assert_history_is_legal(inst)
        finally:
            docduck.kill()
            inst.close()


def _fill(server: MailServer, site: Site, inbox: Path, mails: int, files: int, urls: int) -> None:
    server.deliver("soak", *map(_mail, range(mails)))
    inbox.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        (inbox / f"{number}.txt").write_text(f"file {number}")
    links = "".join(f'<a href="/{number}.txt">{number}</a>' for number in range(urls))
    site.pages["/"] = ok(links.encode(), "Content-Type: text/html")
    for number in range(urls):
        site.pages[f"/{number}.txt"] = ok(f"page {number}".encode())


def _mail(number: int) -> bytes:
    message = EmailMessage()
    message["Subject"] = f"Mail {number}"
    message["From"] = "soak@example.org"
    message["Message-ID"] = f"<soak-{number}@example.org>"
    message.set_content(f"mail {number}\n")
    return message.as_bytes()


def _write_pipeline(path: Path, server: MailServer, site: Site) -> None:
    path.write_text(
        f"""sources:
- name: post
  mailbox: imaps://localhost:{server.tls_port}
  username: soak
  password: {PASSWORD}
  ca: {server.ca}
  every: 5s
  parser: mails
- name: web
  url: {site.url("/")}
  links: "*.txt"
  private: true
  every: 5s
  parser: urls
"""
    )


def _counts(inst: Installation) -> int:
    return len(truth.rows(inst, select(Document.id)))


def _at_rest(docduck: Docduck, inst: Installation, least: int) -> bool:
    time.sleep(1)
    return _counts(inst) >= least and not truth.work_left(inst) and not docduck.live_runs()


def _compare(docduck: Docduck, inst: Installation, wanted: dict[str, int]) -> Iterator[Figure]:
    documents = truth.rows(inst, select(Document))
    slugs = {
        slug: {row[0] for row in docduck.query(f"SELECT document_id FROM {slug}.documents")}
        for slug in _SLUGS
    }
    for slug, count in wanted.items():
        contents = Counter(row.sha256 for row in documents if row.id in slugs[slug])
        yield Figure(f"{slug} lost", count - len(contents), "", 0)
        yield Figure(f"{slug} doubled", sum(contents.values()) - len(contents), "", 0)
    yield rows_off(docduck, _SLUGS, documents)
    entries = truth.rows(inst, select(IntakeEntry).where(IntakeEntry.source.in_(("post", "web", "inbox"))))
    known = {entry.document_id for entry in entries}
    off = [row for row in documents if row.id not in known]
    yield Figure("documents that the ledger does not know", len(off), "", 0)
    outcomes = Counter(entry.outcome for entry in entries)
    yield Figure("items not registered", sum(outcomes.values()) - outcomes["registered"], "", 0)
