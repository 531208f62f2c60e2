"""A mail server for tests: Dovecot on free ports of loopback, with any user and one password."""

from __future__ import annotations

import grp
import imaplib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.certificate import make_certificate

PASSWORD = "s3cret-pässword"
_START_SECONDS = 15
_CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login
default_internal_user = {internal}
default_internal_group = {group}
default_login_user = {login}
first_valid_uid = 1
mail_location = maildir:~/Maildir
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/homes/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


@dataclass(frozen=True)
class MailServer:
    """A running server; ``ca`` is the certificate to trust."""

    folder: Path
    port: int
    tls_port: int
    ca: Path

    def deliver(self, user: str, *mails: bytes, folder: str = "INBOX") -> None:
        """Append mails to a folder, which is created."""
        with self.connected(user) as client:
            if folder != "INBOX":
                client.create(folder)
            for mail in mails:
                status, answer = client.append(folder, None, None, mail)
                assert status == "OK", answer

    def flags(self, user: str, folder: str = "INBOX") -> list[str]:
        """Return the flags of all mails of a folder."""
        with self.connected(user) as client:
            _, (count,) = client.select(folder, readonly=True)
            if count == b"0":
                return []
            _, found = client.fetch("1:*", "(FLAGS)")
            return [one.decode() for one in found if isinstance(one, bytes)]

    @contextmanager
    def connected(self, user: str) -> Iterator[imaplib.IMAP4]:
        client = imaplib.IMAP4("127.0.0.1", self.port, timeout=10)
        try:
            client.authenticate("PLAIN", lambda _: f"\0{user}\0{PASSWORD}".encode())
            yield client
        finally:
            client.logout()


@contextmanager
def running_mail_server() -> Iterator[MailServer]:
    """Run a server; skip the test where Dovecot is not installed."""
    program = shutil.which("dovecot", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip("Dovecot is not installed: make system-deps")
    folder = Path(tempfile.mkdtemp(prefix="dd-mail-"))
    for name in ("run", "state", "homes"):
        (folder / name).mkdir(parents=True)
    make_certificate(folder)
    port, tls_port = _free_port(), _free_port()
    me = pwd.getpwuid(os.getuid())
    is_root = me.pw_uid == 0
    mails = pwd.getpwnam("nobody") if is_root else me
    if is_root:
        folder.chmod(0o755)
        os.chown(folder / "homes", mails.pw_uid, mails.pw_gid)
    (folder / "dovecot.conf").write_text(
        _CONFIGURATION.format(
            folder=folder,
            internal="dovecot" if is_root else me.pw_name,
            group="dovecot" if is_root else _group(me.pw_gid),
            login="dovenull" if is_root else me.pw_name,
            uid=mails.pw_uid,
            gid=mails.pw_gid,
            port=port,
            tls_port=tls_port,
            password=PASSWORD,
        )
    )
    process = subprocess.Popen([program, "-F", "-c", folder / "dovecot.conf"])
    server = MailServer(folder, port, tls_port, folder / "cert.pem")
    try:
        _wait(server, process)
        yield server
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def _wait(server: MailServer, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            with server.connected("nobody"):
                return
        except (OSError, imaplib.IMAP4.error):
            if process.poll() is not None or time.monotonic() > deadline:
                log = server.folder / "log"
                pytest.fail(f"Dovecot did not start: {log.read_text() if log.exists() else 'no log'}")
            time.sleep(0.1)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _group(gid: int) -> str:
    return grp.getgrgid(gid).gr_name
