"""Mails are handed over with TLS, STARTTLS and a login to a real server, and never in the clear."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from docduck.cli.runtime.addresses import free_port
from docduck.errors import InputError, Transient
from docduck.outbound.mail_server import mail_server
from docduck.outbound.smtp import send_mail
from tests.certificate import make_certificate
from tests.smtp_sink import Sink, running_sink


class Server(Sink):
    """Takes mails after the login, if it wants one."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[tuple[str, str]] = []

    def login(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.given.append((data.login.decode(), data.password.decode()))
        return AuthResult(success=data.password == b"s3cret")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_certificate(tmp_path_factory.mktemp("tls"))


@contextmanager
def serving(
    certificate: tuple[Path, Path], *, starttls: bool, login: bool = False
) -> Iterator[tuple[Server, int]]:
    cert, key = certificate
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(cert, key)
    server = Server()
    port = free_port("127.0.0.1", 0, "mail", "")
    controller = Controller(
        server,
        hostname="127.0.0.1",
        port=port,
        ssl_context=None if starttls else tls,
        tls_context=tls if starttls else None,
        require_starttls=starttls,
        authenticator=server.login,
        auth_required=login,
        auth_require_tls=starttls,
    )
    controller.start()
    try:
        yield server, port
    finally:
        controller.stop()


def mail() -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "docduck@example.org", "ann@example.org", "Invitation"
    made.set_content("Come in")
    return made


@pytest.mark.slow
# The test server doesn't count a connection that begins with TLS as one.
@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
@pytest.mark.parametrize("scheme", ["smtps", "smtp"])
def test_a_mail_is_sent_with_tls_and_a_login(certificate: tuple[Path, Path], scheme: str) -> None:
    ca, _ = certificate
    with serving(certificate, starttls=scheme == "smtp", login=True) as (server, port):
        url = f"{scheme}://localhost:{port}"
        send_mail(mail_server("smtp", url, "ann", ca), mail(), 5, "s3cret")
        assert server.wait(1)["Subject"] == "Invitation"
        assert server.given == [("ann", "s3cret")]
        for username, password in (("ann", "wrong"), (None, None)):
            with pytest.raises(Transient, match="did not take the mail") as refused:
                send_mail(mail_server("smtp", url, username, ca), mail(), 5, password)
            assert "wrong" not in str(refused.value) and "ann@" not in str(refused.value)
        assert len(server.mails) == 1


@pytest.mark.parametrize("scheme", ["smtps", "smtp"])
def test_a_certificate_that_nobody_vouches_for_is_refused(
    certificate: tuple[Path, Path], scheme: str
) -> None:
    with serving(certificate, starttls=scheme == "smtp") as (server, port):
        with pytest.raises(Transient, match="SSLCertVerificationError"):
            send_mail(mail_server("smtp", f"{scheme}://localhost:{port}", "ann"), mail(), 5, "s3cret")
        assert (server.mails, server.given) == ([], [])


def test_a_server_without_starttls_gets_neither_mail_nor_password() -> None:
    with running_sink() as sink:
        port = sink.url.rpartition(":")[2]
        with pytest.raises(Transient):
            send_mail(mail_server("smtp", f"smtp://localhost:{port}", "ann"), mail(), 5, "s3cret")
        assert sink.mails == []


def test_a_server_that_says_nothing_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        begin = time.monotonic()
        with pytest.raises(Transient):
            port = silent.getsockname()[1]
            send_mail(mail_server("smtp", f"smtp+plain://127.0.0.1:{port}"), mail(), 0.3, None)
        assert time.monotonic() - begin < 3


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("smtp+plain://mail.example.org", "in the clear"),
        ("http://mail.example.org", "must be smtps://host"),
        ("smtps://", "must be smtps://host"),
        ("smtps://ann:s3cret@mail.example.org", "without user, password"),
    ],
)
def test_what_is_no_server_is_refused(url: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as refused:
        mail_server("smtp", url)
    assert "s3cret" not in str(refused.value)
