"""Limits of what new clients cost: registrations of an address, and documents fetched for a user."""

from __future__ import annotations

from docduck.errors import TooMany
from docduck.service.core.attempts import client_network, count_attempt
from docduck.service.core.installation import Installation

_PURPOSE = "docduck oauth clients 1"
_WINDOW_SECONDS = 900


class TooManyClients(TooMany):
    """Too many new clients; ``retry_after`` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("Too many new clients. Try again later")
        self.retry_after = retry_after


def count_client(inst: Installation, whose: str) -> None:
    """Count a new client of a network address, or of a user's id; raise TooManyClients beyond the limit."""
    most = inst.settings.oauth_new_clients
    waiting = count_attempt(inst, _PURPOSE, client_network(whose), most, _WINDOW_SECONDS)
    if waiting is not None:
        raise TooManyClients(waiting)
