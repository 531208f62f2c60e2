"""Mails with links: invitations, and links to set a password."""

from __future__ import annotations

import logging
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from docduck.errors import InputError, NotFound, Transient
from docduck.outbound.mail_server import MailServer, mail_server
from docduck.outbound.smtp import send_mail
from docduck.service.accounts.invitations import NewInvitation
from docduck.service.accounts.password_reset import start_reset
from docduck.service.core.installation import Installation
from docduck.settings import Settings

MAIL_SECONDS = 15
"""For each step of sending a mail."""

_log = logging.getLogger(__name__)


def can_send_mail(settings: Settings) -> bool:
    """Return whether mails can be sent."""
    return settings.outgoing_mail_url is not None


def check_mail_settings(settings: Settings) -> None:
    """Raise InputError for a setting that is missing or wrong."""
    if settings.outgoing_mail_url is None:
        return
    for name, value in (("FROM", settings.outgoing_mail_from), ("BASE_URL", settings.base_url)):
        if value is None:
            variable = "DOCDUCK_BASE_URL" if name == "BASE_URL" else f"DOCDUCK_OUTGOING_MAIL_{name}"
            raise InputError(f"DOCDUCK_OUTGOING_MAIL_URL needs {variable}", variable)
    _server(settings)


def mail_invitation(inst: Installation, new: NewInvitation) -> bool:
    """Send an invitation; return whether the mail server took it."""
    invitation = new.invitation
    link = f"{_base(inst)}/invitations/{new.token}"
    text = (
        f"{invitation.invited_by} invites you to the team {invitation.team_name} on docduck, "
        f"as {invitation.role}.\n\n"
        f"To accept, open this link until {invitation.expires_at:%Y-%m-%d %H:%M} UTC:\n\n{link}\n\n"
        "If you don't know what this is about, do nothing.\n"
    )
    return _send(inst, invitation.email, f"Invitation to the team {invitation.team_name}", text)


def mail_password_reset(inst: Installation, email: str) -> None:
    """Send a link to set a password, if a user has this address. Call it after the response is sent."""
    try:
        reset = start_reset(inst, email, "password reset page")
    except NotFound:
        return
    link = f"{_base(inst)}/password-reset/{reset.token}"
    text = (
        f"Hello {reset.name},\n\nto set a new password for docduck, open this link until "
        f"{reset.expires_at:%Y-%m-%d %H:%M} UTC:\n\n{link}\n\n"
        "It can be used once. If you did not ask for it, do nothing: your password stays as it is.\n"
    )
    _send(inst, reset.email, "Set a new password", text)


def _send(inst: Installation, recipient: str, subject: str, text: str) -> bool:
    settings = inst.settings
    mail = EmailMessage()
    try:
        mail["From"], mail["To"] = settings.outgoing_mail_from, recipient
        mail["Subject"] = "".join(character if character.isprintable() else " " for character in subject)
    except ValueError:
        _log.warning("A mail was not sent: its recipient is no address that mails can be sent to")
        return False
    domain = (settings.outgoing_mail_from or "").rpartition("@")[2]
    mail["Date"], mail["Message-ID"] = formatdate(), make_msgid(domain=domain)
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text)
    password = settings.outgoing_mail_password
    try:
        send_mail(_server(settings), mail, MAIL_SECONDS, password.get_secret_value() if password else None)
    except Transient as error:
        _log.warning("%s", error.message)
        return False
    return True


def _base(inst: Installation) -> str:
    return (inst.settings.base_url or "").rstrip("/")


def _server(settings: Settings) -> MailServer:
    url, username = settings.outgoing_mail_url or "", settings.outgoing_mail_username
    try:
        return mail_server("smtp", url, username, settings.outgoing_mail_ca)
    except InputError as error:
        raise InputError(f"DOCDUCK_OUTGOING_MAIL_URL {error.message}", "DOCDUCK_OUTGOING_MAIL_URL") from error
