"""Mailbox sources: mails of a real IMAP server, of a Maildir and of an mbox file."""

from __future__ import annotations

import imaplib
import mailbox
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserChanges, update_parser
from docduck.service.pipeline.source_specs import MailboxSpec, OAuthSpec
from docduck.service.sources import registration
from docduck.service.sources.intake import ingest, inspect_source
from docduck.service.sources.remote_sources import RemoteSource, access_token, mailbox_source
from docduck.sources.remote import SourceUnavailable
from tests.conftest import MakeInstallation
from tests.mail_server import PASSWORD, MailServer, running_mail_server
from tests.outbound.web import Site, ok, reply, running
from tests.service.sources.intake_world import (
    assert_files_match,
    documents,
    invoices,
    ledger_of,
    outcomes,
    pass_time,
    rows,
)

FROM_EXAMPLE = [{"type": "domain", "value": "example.org"}]
_USERS = iter(f"user{number}" for number in range(1000))


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    with running_mail_server() as server:
        yield server


@pytest.fixture
def user() -> str:
    return next(_USERS)


def mail(number: int, sender: str = "Ann <ann@example.org>", **headers: str) -> bytes:
    message = EmailMessage()
    message["Subject"] = f"Invoice {number}"
    message["From"] = sender
    message["Message-ID"] = f"<{number}@example.org>"
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(f"Number: {number}\n")
    return message.as_bytes()


def source(server: MailServer, user: str, **more: Any) -> RemoteSource:
    spec = {
        "name": "post",
        "parser": "invoices",
        "mailbox": f"imaps://localhost:{server.tls_port}",
        "username": user,
        "password": PASSWORD,
        "ca": server.ca,
        **more,
    }
    return mailbox_source(MailboxSpec.model_validate(spec))


def test_mails_are_taken_in_once_and_nothing_is_marked(
    inst: Installation, server: MailServer, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = invoices(inst)
    server.deliver(user, mail(1), mail(2))
    post = source(server, user)
    state = inspect_source(inst, post)
    assert state.new == 2
    assert ingest(inst, post).registered == 2
    first, second = rows(inst)
    assert (first.name, first.source, first.content_type) == ("Invoice 1.eml", "email", "message/rfc822")
    assert first.source_detail == {
        "source": "post",
        "mailbox": user,
        "folder": "INBOX",
        "senderEmail": "ann@example.org",
        "subject": "Invoice 1",
        "messageId": "1@example.org",
    }
    assert second.parser_id == parser.id
    assert not any("Seen" in flags for flags in server.flags(user))
    pass_time(monkeypatch)
    assert inspect_source(inst, post).new == 0
    server.deliver(user, mail(3))
    pass_time(monkeypatch)
    assert ingest(inst, post).registered == 1
    assert documents(inst, parser) == ["Invoice 1.eml", "Invoice 2.eml", "Invoice 3.eml"]
    assert_files_match(inst)


def test_copies_of_a_mail_are_one_document_and_one_that_is_too_large_is_refused_unread(
    make_installation: MakeInstallation, server: MailServer, user: str
) -> None:
    inst = make_installation(max_mail_bytes=1000)
    invoices(inst)
    server.deliver(user, mail(1), mail(1, Received="from elsewhere"), mail(2) + b"x" * 2000)
    server.deliver(user, mail(1, X_Copy="yes"), folder="Archive")
    report = ingest(inst, source(server, user, folders=["INBOX", "Archive"]))
    assert (report.registered, report.duplicates, report.refused) == (1, 2, 1)
    assert any("more than the 1,000 allowed" in one for one in report.messages)
    other = source(server, user, name="other")
    assert (ingest(inst, other).duplicates, len(rows(inst))) == (2, 1)


def test_mails_of_a_mailbox_that_was_made_anew_are_not_taken_in_again(
    inst: Installation, server: MailServer, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    server.deliver(user, mail(1), folder="Bills")
    post = source(server, user, folders=["Bills"])
    assert ingest(inst, post).registered == 1
    with server.connected(user) as client:
        client.delete("Bills")
    pass_time(monkeypatch)
    assert "There is no folder Bills" in inspect_source(inst, post).message
    server.deliver(user, mail(2), mail(1), folder="Bills")
    pass_time(monkeypatch)
    report = ingest(inst, post)
    assert (report.registered, report.duplicates) == (1, 1)


def test_a_server_that_tells_no_capabilities_after_the_login_is_read(
    inst: Installation, server: MailServer, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    server.deliver(user, mail(1))
    ask = imaplib.IMAP4.capability

    def only_at_first(client: imaplib.IMAP4) -> Any:
        return ask(client) if client.state == "NONAUTH" else ("OK", [None])

    monkeypatch.setattr(imaplib.IMAP4, "capability", only_at_first)
    assert ingest(inst, source(server, user, after="delete")).registered == 1
    assert server.flags(user) == []


@pytest.mark.parametrize(
    ("after", "can_move", "left"),
    [("seen", True, 2), ("delete", True, 1), ("move", True, 1), ("move", False, 1)],
)
def test_mails_are_marked_moved_or_deleted_and_those_that_others_marked_as_deleted_stay(
    inst: Installation,
    server: MailServer,
    user: str,
    monkeypatch: pytest.MonkeyPatch,
    after: str,
    can_move: bool,
    left: int,
) -> None:
    parser = invoices(inst)
    chosen = {"emailParsing": {"senderFilter": {"mode": "allow", "rules": FROM_EXAMPLE}}}
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings=chosen))
    server.deliver(user, mail(1, "eve@other.com"), mail(2))
    with server.connected(user) as client:
        client.select()
        client.store("1", "+FLAGS", "\\Deleted")
        client.unselect()
    ask = imaplib.IMAP4.capability

    def told(client: imaplib.IMAP4) -> tuple[str, list[Any]]:
        status, (words, *_) = ask(client)
        return status, [words if can_move else words.replace(b" MOVE", b"")]

    monkeypatch.setattr(imaplib.IMAP4, "capability", told)
    more = {"move_to": "Done"} if after == "move" else {}
    report = ingest(inst, source(server, user, after=after, **more))
    assert (report.registered, report.refused) == (1, 1)
    flags = server.flags(user)
    assert len(flags) == left
    assert ["\\Seen" in one for one in flags] == [False, True][:left]
    assert after != "move" or len(server.flags(user, "Done")) == 1


def test_refused_senders_make_no_documents(
    inst: Installation, server: MailServer, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = invoices(inst)
    rules = [{"type": "domain", "value": "example.org"}, {"type": "email", "value": "Bob@Other.com"}]
    chosen = {"emailParsing": {"senderFilter": {"mode": "allow", "rules": rules}}}
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings=chosen))
    senders = ("a@example.org", "b@mail.EXAMPLE.org", "BOB@other.com", "eve@other.com", "x@notexample.org")
    server.deliver(user, *(mail(number, sender) for number, sender in enumerate(senders)))
    report = ingest(inst, source(server, user))
    assert (report.registered, report.refused) == (3, 2)
    refused = [known.message for known in ledger_of(inst).values() if known.outcome == "refused"]
    assert refused == ["sender_filtered", "sender_filtered"]
    pass_time(monkeypatch)
    assert inspect_source(inst, source(server, user)).new == 0
    block = {"emailParsing": {"senderFilter": {"mode": "block"}}}
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings=block))
    server.deliver(user, mail(10, "eve@other.com"), mail(11, "a@example.org"))
    pass_time(monkeypatch)
    assert ingest(inst, source(server, user)).registered == 1


def test_only_mails_since_a_day_are_taken_in_the_newest_first(
    make_installation: MakeInstallation, server: MailServer, user: str
) -> None:
    inst = make_installation(intake_batch=1)
    invoices(inst)
    with server.connected(user) as client:
        for number, day in ((1, "01-Jan-2020"), (2, "01-Jan-2025"), (3, "02-Jan-2025")):
            client.append("INBOX", None, f'"{day} 10:00:00 +0000"', mail(number))
    assert ingest(inst, source(server, user, since="2024-01-01", order="newest")).registered == 2
    by_age = sorted(rows(inst), key=lambda row: row.created_at)
    assert [row.name for row in by_age] == ["Invoice 3.eml", "Invoice 2.eml"]


def test_a_wrong_password_or_certificate_is_told_and_not_shown(
    inst: Installation, server: MailServer, user: str
) -> None:
    invoices(inst)
    message = inspect_source(inst, source(server, user, password="wr0ng")).message
    assert "refuses the user name or the password" in message and "wr0ng" not in message
    unknown = source(server, user, name="unknown", ca=None)
    assert "its certificate is not valid" in inspect_source(inst, unknown).message, "nobody vouches for it"
    other = source(server, user, name="other", mailbox=f"imaps://127.0.0.9:{server.tls_port}")
    assert "can't be read" in inspect_source(inst, other).message


def test_starttls_and_plain_connections_work(
    inst: Installation, server: MailServer, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    server.deliver(user, mail(1))
    assert ingest(inst, source(server, user, mailbox=f"imap://localhost:{server.port}")).registered == 1
    pass_time(monkeypatch)
    server.deliver(user, mail(2))
    plain = source(server, user, mailbox=f"imap+plain://localhost:{server.port}", ca=None)
    assert ingest(inst, plain).registered == 1


def test_an_interruption_between_steps_loses_and_doubles_nothing(
    make_installation: MakeInstallation, server: MailServer, user: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make_installation(intake_batch=2)
    invoices(inst)
    server.deliver(user, *map(mail, range(7)))
    post = source(server, user)
    register = registration.register_items
    calls = []

    def dies(*given: Any) -> Any:
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return register(*given)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("docduck.service.sources.timed_intake.register_items", dies)
        ingest(inst, post)
    assert len(rows(inst)) == 4
    assert ingest(inst, post).registered == 3
    assert set(outcomes(inst).values()) == {"registered"}
    assert len(rows(inst)) == 7


def test_mails_of_a_maildir_and_of_an_mbox_file(
    inst: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    box = mailbox.Maildir(tmp_path / "Maildir")
    box.add(mail(1))
    local = mailbox_source(MailboxSpec(name="maildir", parser="invoices", mailbox=str(tmp_path / "Maildir")))
    assert ingest(inst, local).registered == 1
    (key,) = box.keys()
    message = box[key]
    message.set_subdir("cur")
    message.add_flag("S")
    box[key] = message
    pass_time(monkeypatch)
    assert inspect_source(inst, local).new == 0, "flags don't make it another mail"
    file = mailbox.mbox(tmp_path / "post.mbox")
    for number in (1, 2, 3):
        file.add(mail(number))
    file.close()
    mbox = mailbox_source(MailboxSpec(name="mbox", parser="invoices", mailbox=str(tmp_path / "post.mbox")))
    report = ingest(inst, mbox)
    assert (report.registered, report.duplicates) == (2, 1)
    assert documents(inst) == ["Invoice 1.eml", "Invoice 2.eml", "Invoice 3.eml"]
    assert b"Number: 2" in inst.files.path(rows(inst)[1].sha256).read_bytes()
    pass_time(monkeypatch)
    assert ingest(inst, mbox).registered == 0


def test_an_access_token_is_had_by_a_refresh_token() -> None:
    with running() as (site, _):
        oauth = OAuthSpec(token_url=site.url("/a/token"), client_id="me", refresh_token="r3fresh")
        site.pages["/a/token"] = ok(b'{"access_token": "t0ken"}')
        assert access_token(oauth) == "t0ken"
        assert site.requests[0].startswith("POST /a/token")
        _refuses(site, oauth, reply("400 Bad Request", body=b'{"error": "invalid_grant"}'), "answered 400")
        _refuses(site, oauth, ok(b"no json"), "answered 200")


def _refuses(site: Site, oauth: OAuthSpec, answer: bytes, words: str) -> None:
    site.pages["/a/token"] = answer
    with pytest.raises(SourceUnavailable, match=words) as caught:
        access_token(oauth)
    assert "r3fresh" not in caught.value.message
