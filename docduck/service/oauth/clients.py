"""Public clients: registered ones (RFC 7591), and those that are known by their metadata document."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from docduck import clock
from docduck.catalog.models import OAuthClient
from docduck.catalog.upsert import upsert
from docduck.errors import TooMany
from docduck.outbound.resolving import SYSTEM, Connecting
from docduck.service.core.attempts import client_network, count_attempt
from docduck.service.core.installation import Installation
from docduck.service.core.secrets import new_token
from docduck.service.oauth.client_documents import (
    ClientDocument,
    fetch_document,
    host_of_document,
    is_document_url,
)
from docduck.service.oauth.client_metadata import client_metadata
from docduck.service.oauth.protocol import UnverifiedClient

NEW_CLIENTS = 20

KEPT_AFTER_USE = dt.timedelta(days=365)
"""Time for which a client that was connected once stays known."""

_KEPT = dt.timedelta(days=1)
_NAMELESS = "A program without a name"
_ATTEMPTS = "docduck oauth clients 1"
_WINDOW_SECONDS = 900


class TooManyClients(TooMany):
    """Too many new clients; ``retry_after`` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("Too many new clients. Try again later", retry_after)


@dataclass(frozen=True, slots=True)
class Client:
    """A client; ``host`` is that of its metadata document, None if anybody can have registered it."""

    ref: str
    client_id: str
    name: str
    redirect_uris: tuple[str, ...]
    host: str | None


def register_client(inst: Installation, body: Mapping[str, Any], address: str) -> Client:
    """Register a public client for somebody at a network address.

    Raise OAuthError, and TooManyClients if the address has registered too many.
    """
    _count_client(inst, address)
    metadata = client_metadata(body, _NAMELESS)
    row = OAuthClient(
        client_id=new_token("docduck_client_"),
        name=metadata.name,
        redirect_uris=[*metadata.redirect_uris],
        keep_until=clock.now() + _KEPT,
    )
    with inst.catalog.transaction(durable=True) as session:
        session.add(row)
        session.flush()
        return _view(row)


def find_client(inst: Installation, client_id: str, user_id: str, connecting: Connecting = SYSTEM) -> Client:
    """Return a client, fetching its metadata document for a user if it is due.

    Raise UnverifiedClient if it is unknown, TooManyClients if the user has asked for too many.
    """
    with inst.catalog.read_session() as session:
        row = session.scalar(select(OAuthClient).where(OAuthClient.client_id == client_id))
        if row is not None and (row.fresh_until is None or row.fresh_until > clock.now()):
            return _view(row)
    if not is_document_url(client_id):
        raise UnverifiedClient("The client is not known here. Connect it anew")
    _count_client(inst, user_id)
    return _stored(inst, client_id, fetch_document(inst, client_id, connecting))


def _count_client(inst: Installation, subject: str) -> None:
    """Count a new client of a network address, or of a user's id; raise TooManyClients beyond the limit."""
    waiting = count_attempt(inst, _ATTEMPTS, client_network(subject), NEW_CLIENTS, _WINDOW_SECONDS)
    if waiting is not None:
        raise TooManyClients(waiting)


def _stored(inst: Installation, client_id: str, document: ClientDocument) -> Client:
    row = {
        "client_id": client_id,
        "name": document.metadata.name,
        "redirect_uris": [*document.metadata.redirect_uris],
        "fresh_until": document.fresh_until,
        "keep_until": clock.now() + _KEPT,
    }
    with inst.catalog.transaction(durable=True) as session:
        upsert(session, OAuthClient, [row], ["client_id"], replace=["name", "redirect_uris", "fresh_until"])
        return _view(session.scalars(select(OAuthClient).where(OAuthClient.client_id == client_id)).one())


def _view(row: OAuthClient) -> Client:
    host = host_of_document(row.client_id) if is_document_url(row.client_id) else None
    return Client(row.id, row.client_id, row.name, tuple(row.redirect_uris), host)
