"""Signing in by password, with limits that guessing can't pass and strangers can't use to lock a user out.

Attempts that fail are counted for each network, and for each pair of account and network. An account also
has a looser limit for all networks together, because attackers may have many. From browsers in which the
user has signed in before, which hold a ``device`` token, attempts are counted apart from those of strangers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from docduck.errors import InputError, TooMany
from docduck.service.accounts.accounts import check_password, find_user_id
from docduck.service.accounts.sessions import Browser, start_session
from docduck.service.core.attempts import Attempt, client_network, take_attempt, waiting_time
from docduck.service.core.audit import record_for_user
from docduck.service.core.installation import Installation
from docduck.service.core.secrets import is_secret, new_token, signature_of

SIGN_IN_ATTEMPTS = 10
"""Failed attempts as one user from one network in a quarter of an hour."""

SIGN_IN_ATTEMPTS_PER_ADDRESS = 100
SIGN_IN_ATTEMPTS_PER_USER = 100

_PURPOSE, _DEVICE_PURPOSE = "docduck sign-in 1", "docduck device 1"
_WINDOW = 900
_DEVICE_WINDOW = 86_400
_MOST_ON_DEVICE = 100


class WrongPassword(InputError):
    """The address or the password is wrong; which of them is not told."""

    def __init__(self) -> None:
        super().__init__("The e-mail address or the password is wrong")


class TooManyAttempts(TooMany):
    """Too many attempts; ``retry_after`` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"Too many attempts. Try again in {waiting_time(retry_after)}", retry_after)


@dataclass(frozen=True, slots=True)
class NewSession:
    """The tokens of a new session and of the browser, for its cookies."""

    token: str = field(repr=False)
    device: str = field(repr=False)


def sign_in(inst: Installation, email: str, password: str, browser: Browser, device: str = "") -> NewSession:
    """Sign in by password; ``device`` is the token that the browser was given the last time.

    Raise WrongPassword, and TooManyAttempts before the password is looked at.
    """
    account = email.strip().lower()
    with counted_sign_in(inst, account, browser.address, device):
        user_id = check_password(inst, account, password)
        if user_id is None:
            raise WrongPassword
    return begin_session(inst, user_id, account, browser)


def begin_session(inst: Installation, user_id: str, email: str, browser: Browser) -> NewSession:
    """Begin a session of a user who has proved who they are, and remember the browser."""
    nonce = new_token()
    return NewSession(start_session(inst, user_id, browser), f"{nonce}.{_signature(inst, email, nonce)}")


@contextmanager
def counted_sign_in(inst: Installation, account: str, address: str, device: str = "") -> Iterator[None]:
    """Count an attempt to prove to be a user, unless the block ends without an error; raise TooManyAttempts.

    It is counted before, so that attempts at the same time can't pass the limit.
    """
    network = client_network(address)
    nonce = _known_device(inst, account, device)
    attempts = [
        _counted(inst, f"address\n{network}", SIGN_IN_ATTEMPTS_PER_ADDRESS),
        _counted(inst, f"pair\n{account}\n{network}", SIGN_IN_ATTEMPTS),
        # A stolen device token must not be a way around the account's limit.
        _counted(inst, f"device\n{nonce}", _MOST_ON_DEVICE, _DEVICE_WINDOW)
        if nonce is not None
        else _counted(inst, f"account\n{account}", SIGN_IN_ATTEMPTS_PER_USER),
    ]
    yield
    for attempt in attempts:
        attempt.give_back(inst)


@contextmanager
def counted_visitor(inst: Installation, address: str) -> Iterator[None]:
    """Count an attempt that names no account, unless the block ends without an error.

    Raise TooManyAttempts.
    """
    attempt = _counted(inst, f"address\n{client_network(address)}", SIGN_IN_ATTEMPTS_PER_ADDRESS)
    yield
    attempt.give_back(inst)


def note_failure(inst: Installation, email: str, address: str) -> None:
    """Record a failed attempt in the audit log of the user's teams; nothing happens for an unknown address.

    Call it after the response is sent, whose time would otherwise tell who is known.
    """
    with inst.catalog.transaction() as session:
        user_id = find_user_id(session, email)
        if user_id is not None:
            record_for_user(session, user_id, "system", "user.sign_in_failed", address=address)


def _counted(inst: Installation, whose: str, most: int, window: int = _WINDOW) -> Attempt:
    attempt = take_attempt(inst, _PURPOSE, whose, most, window)
    if attempt.waiting is not None:
        raise TooManyAttempts(attempt.waiting)
    return attempt


def _known_device(inst: Installation, account: str, device: str) -> str | None:
    """Return what identifies the browser if it has signed in to the account before."""
    nonce, _, signature = device.partition(".")
    return nonce if is_secret(signature, _signature(inst, account, nonce)) else None


def _signature(inst: Installation, account: str, nonce: str) -> str:
    return signature_of(inst.settings, _DEVICE_PURPOSE, f"{account}\n{nonce}").hex()
