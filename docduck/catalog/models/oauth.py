"""OAuth clients and grants."""

from __future__ import annotations

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Json, Moment, Ref, Short, TeamRef


class OAuthClient(Base):
    """A registered client; public clients have no secret."""

    __tablename__ = "oauth_clients"

    id: Mapped[Id]
    name: Mapped[str]
    redirect_uris: Mapped[Json]
    secret_sha256: Mapped[Short | None]
    created_at: Mapped[Created]


class OAuthGrant(Base):
    """A user's consent for a client and a team; tokens are stored as SHA-256."""

    __tablename__ = "oauth_grants"

    id: Mapped[Id]
    client_id: Mapped[Ref] = mapped_column(ForeignKey("oauth_clients.id", ondelete="CASCADE"), index=True)
    user_id: Mapped[Ref] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    team_id: Mapped[TeamRef]
    scopes: Mapped[Json]
    code_sha256: Mapped[Short | None] = mapped_column(unique=True)
    code_challenge: Mapped[str | None]
    redirect_uri: Mapped[str | None]
    code_expires_at: Mapped[Moment | None]
    access_sha256: Mapped[Short | None] = mapped_column(unique=True)
    access_expires_at: Mapped[Moment | None]
    refresh_sha256: Mapped[Short | None] = mapped_column(unique=True)
    refresh_expires_at: Mapped[Moment | None]
    created_at: Mapped[Created]
    last_used_at: Mapped[Moment | None]
    revoked_at: Mapped[Moment | None]
