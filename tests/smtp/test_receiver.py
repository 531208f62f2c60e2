"""The mail receiver, asked by a real client."""

from __future__ import annotations

import contextlib
import random
import smtplib
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from docduck.errors import InputError
from docduck.fields import Field
from docduck.service.classifiers.classifiers import create_classifier
from docduck.service.core.installation import Installation
from docduck.service.core.mail_addresses import update_addresses
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parsers import (
    NewParser,
    ParserChanges,
    ParserView,
    create_parser,
    get_parser,
    update_parser,
)
from docduck.service.sources import received_mails
from docduck.smtp import receiver
from docduck.smtp.receiver import mail_receiver
from tests.certificate import make_certificate
from tests.conftest import MakeInstallation
from tests.service.sources.intake_world import assert_files_match, documents, ledger_of, rows
from tests.service.sources.test_mailbox_source import mail

DOMAIN = "docs.example.org"


def _free_ports() -> tuple[int, int]:
    """Two free ports below those that systems choose themselves: no other test is given them meanwhile."""
    free: list[int] = []
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            free.append(port)
        if len(free) == 2:
            return free[0], free[1]
    raise AssertionError("no free ports")


@contextmanager
def receiving(
    make_installation: MakeInstallation, **more: Any
) -> Iterator[tuple[Installation, ParserView, int, int]]:
    smtp, lmtp = _free_ports()
    inst = make_installation(mail_domain=DOMAIN, mail_smtp_port=smtp, mail_lmtp_port=lmtp, **more)
    parser = create_parser(inst, inst.team_id, NewParser("Bills", fields=[Field(name="Number")]))
    with mail_receiver(inst):
        yield inst, parser, smtp, lmtp


def send(port: int, content: bytes, *to: str | None, client: type[smtplib.SMTP] = smtplib.SMTP) -> Any:
    with client("127.0.0.1", port, local_hostname="client") as connection:
        return connection.sendmail("ann@example.org", [str(one) for one in to], content)


def test_a_mail_to_a_parser_is_a_document(make_installation: MakeInstallation) -> None:
    with receiving(make_installation) as (inst, parser, smtp, lmtp):
        address = str(parser.email_address)
        assert address.startswith("bills-") and address.endswith(f"@{DOMAIN}")
        assert send(smtp, mail(1), address) == {}
        assert send(lmtp, mail(2), address.upper().replace("@", "+tag@"), client=smtplib.LMTP) == {}
        assert send(smtp, mail(2), address) == {}, "a copy is accepted, and no second document"
        first, second = rows(inst)
        assert (first.name, first.source, first.parser_id) == ("Invoice 1.eml", "email", parser.id)
        assert first.source_detail is not None
        assert first.source_detail["senderEmail"] == "ann@example.org"
        assert first.source_detail["address"] == address
        kept = inst.files.path(first.sha256).read_bytes()
        assert kept.rstrip().splitlines() == mail(1).rstrip().splitlines()
        assert second.name == "Invoice 2.eml"
        assert_files_match(inst)


def test_other_addresses_are_refused_before_any_mail_is_sent(make_installation: MakeInstallation) -> None:
    with receiving(make_installation) as (inst, parser, smtp, _):
        for wrong in ("bills@docs.example.org", "postmaster", f"x{parser.email_address}", "a@elsewhere.org"):
            with pytest.raises(smtplib.SMTPRecipientsRefused) as caught:
                send(smtp, mail(1), wrong)
            assert {code for code, _ in caught.value.recipients.values()} == {550}
        assert rows(inst) == []


def test_mails_to_an_inactive_parser_are_dropped_with_a_log_line(
    make_installation: MakeInstallation, caplog: pytest.LogCaptureFixture
) -> None:
    with receiving(make_installation) as (inst, parser, smtp, lmtp):
        update_parser(inst, inst.team_id, parser.id, ParserChanges(is_active=False))
        assert send(smtp, mail(1), parser.email_address) == {}
        assert send(lmtp, mail(2), parser.email_address, client=smtplib.LMTP) == {}
        assert rows(inst) == []
        kept = [(known.outcome, known.message) for known in ledger_of(inst).values()]
        assert kept == [("refused", "parser is not active")] * 2
        assert caplog.messages == [f"a mail to {parser.slug} was dropped: parser is not active"] * 2
        update_parser(inst, inst.team_id, parser.id, ParserChanges(is_active=True))
        assert send(smtp, mail(1), parser.email_address) == {}
        assert documents(inst) == ["Invoice 1.eml"]


def test_a_mail_to_two_is_a_document_of_both(make_installation: MakeInstallation) -> None:
    with receiving(make_installation) as (inst, parser, smtp, _):
        routing = {"rules": [{"label": "Bill", "targetParserId": parser.id}]}
        made = create_classifier(inst, inst.team_id, {"name": "Post", "routing": routing})
        assert send(smtp, mail(1), parser.email_address, made.email_address) == {}
        assert {row.parser_id for row in rows(inst)} == {parser.id, None}
        assert {row.classifier_id for row in rows(inst)} == {None, made.id}


def test_refused_senders_are_told_and_logged(make_installation: MakeInstallation) -> None:
    with receiving(make_installation) as (inst, parser, smtp, lmtp):
        rules = [{"type": "domain", "value": "good.org"}]
        chosen = {"emailParsing": {"senderFilter": {"mode": "allow", "rules": rules}}}
        update_parser(inst, inst.team_id, parser.id, ParserChanges(settings=chosen))
        other = create_parser(inst, inst.team_id, NewParser("Other"))
        with pytest.raises(smtplib.SMTPDataError) as caught:
            send(smtp, mail(1), parser.email_address)
        assert caught.value.smtp_code == 550
        assert [known.message for known in ledger_of(inst).values()] == ["sender_filtered"]
        assert send(smtp, mail(2, "x@sub.good.org"), parser.email_address) == {}
        with smtplib.LMTP("127.0.0.1", lmtp, local_hostname="client") as client:
            client.ehlo_or_helo_if_needed()
            client.mail("ann@example.org")
            for one in (parser, other):
                client.rcpt(str(one.email_address))
            client.putcmd("data")
            client.getreply()
            client.send(mail(3).replace(b"\n", b"\r\n") + b"\r\n.\r\n")
            assert [client.getreply()[0] for _ in range(2)] == [550, 250], "LMTP answers for each"
        assert documents(inst, other) == ["Invoice 3.eml"]


def test_a_mail_that_is_too_large_is_refused(make_installation: MakeInstallation) -> None:
    with receiving(make_installation, max_mail_bytes=5000) as (inst, parser, smtp, _):
        with pytest.raises(smtplib.SMTPResponseException) as caught:
            send(smtp, mail(1) + b"x" * 6000, parser.email_address)
        assert caught.value.smtp_code == 552
        assert rows(inst) == []


def test_long_lines_and_broken_mails_are_taken(make_installation: MakeInstallation) -> None:
    with receiving(make_installation) as (inst, parser, smtp, _):
        send(smtp, b"Subject: a\r\n\r\n" + b"y" * 20_000 + b"\r\n", parser.email_address)
        send(smtp, b"\xff\xfe no mail at all", parser.email_address)
        assert documents(inst) == ["a.eml", "mail.eml"]


def test_a_mail_is_stored_before_it_is_confirmed(
    make_installation: MakeInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiving(make_installation) as (inst, parser, smtp, _):

        def dies(*given: Any) -> Any:
            raise OSError("no space left")

        with monkeypatch.context() as patch, pytest.raises(smtplib.SMTPDataError) as caught:
            patch.setattr(received_mails, "register_items", dies)
            send(smtp, mail(1), parser.email_address)
        assert caught.value.smtp_code == 451, "the sender tries again"
        assert send(smtp, mail(1), parser.email_address) == {}
        assert documents(inst) == ["Invoice 1.eml"]


def test_connections_are_limited_in_all_for_a_client_and_for_its_network(
    make_installation: MakeInstallation,
) -> None:
    with (
        receiving(make_installation, mail_connections=4) as (_, _, smtp, _),
        contextlib.ExitStack() as stack,
    ):

        def connect(address: str) -> int:
            try:
                client = smtplib.SMTP("127.0.0.1", smtp, source_address=(address, 0))
            except smtplib.SMTPConnectError as error:
                return error.smtp_code
            return stack.enter_context(client).noop()[0]

        assert [connect("127.0.1.1"), connect("127.0.1.1")] == [250, 421]
        assert [connect("127.0.1.2"), connect("127.0.1.3")] == [250, 421]
        assert [connect("127.0.2.1"), connect("127.0.3.1"), connect("127.0.4.1")] == [250, 250, 421]


def test_a_session_ends_even_if_its_client_goes_on(
    make_installation: MakeInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiver, "_SESSION_SECONDS", 0.5)
    with (
        receiving(make_installation, mail_connections=1) as (_, _, smtp, _),
        smtplib.SMTP("127.0.0.1", smtp) as client,
    ):
        codes = {client.noop()[0]}
        with pytest.raises(smtplib.SMTPServerDisconnected):
            while True:
                codes.add(client.noop()[0])
        assert codes <= {250, 421}
        with smtplib.SMTP("127.0.0.1", smtp) as following:
            assert following.noop()[0] == 250


def test_a_session_goes_on_while_mails_come(
    make_installation: MakeInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiver, "_SESSION_SECONDS", 2.0)
    with (
        receiving(make_installation) as (inst, parser, smtp, _),
        smtplib.SMTP("127.0.0.1", smtp) as client,
    ):
        begin = time.monotonic()
        for number in range(1, 5):
            time.sleep(0.8)
            client.sendmail("a@b.org", [str(parser.email_address)], mail(number))
        assert time.monotonic() - begin > 2.0
        assert len(documents(inst)) == 4


def test_starttls_is_offered_with_a_certificate(make_installation: MakeInstallation, tmp_path: Path) -> None:
    both = tmp_path / "both.pem"
    cert, key = make_certificate(tmp_path)
    both.write_text(key.read_text() + cert.read_text())
    with receiving(make_installation, mail_tls_certificate=both) as (inst, parser, smtp, _):
        trusting = ssl.create_default_context(cafile=both)
        with smtplib.SMTP("127.0.0.1", smtp, local_hostname="client") as client:
            client.starttls(context=trusting)
            client.sendmail("a@b.org", [str(parser.email_address)], mail(1))
        assert documents(inst) == ["Invoice 1.eml"]


def test_addresses_are_minted_once_and_follow_the_domain(make_installation: MakeInstallation) -> None:
    inst = make_installation()
    parser = create_parser(inst, inst.team_id, NewParser("Bills"))
    assert parser.email_address is None and update_addresses(inst) == 0
    inst = make_installation(mail_domain=DOMAIN.upper())
    parser = create_parser(inst, inst.team_id, NewParser("Bills"))
    copy = duplicate_parser(inst, inst.team_id, parser.id)
    assert copy.email_address not in (None, parser.email_address)
    assert update_addresses(inst) == 1, "that of before the domain was set"
    assert update_addresses(inst) == 0
    moved = make_installation(home=inst.settings.home, mail_domain="other.org")
    assert update_addresses(moved) == 3
    name = str(parser.email_address).partition("@")[0]
    assert get_parser(moved, moved.team_id, parser.id).email_address == f"{name}@other.org"


def test_the_receiver_needs_a_domain_and_a_free_port(make_installation: MakeInstallation) -> None:
    with pytest.raises(InputError, match="needs DOCDUCK_MAIL_DOMAIN"):
        mail_receiver(make_installation(mail_smtp_port=2525)).__enter__()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        inst = make_installation(mail_domain=DOMAIN, mail_smtp_port=port)
        with pytest.raises(InputError, match="DOCDUCK_MAIL_SMTP_PORT"):
            mail_receiver(inst).__enter__()
    with mail_receiver(make_installation(mail_domain=DOMAIN)) as addresses:
        assert addresses == []
