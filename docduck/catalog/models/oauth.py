"""OAuth: clients, what users granted them, and their tokens."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, String
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Json, Moment, Ref, Short, TeamRef, one_of

KINDS = ("access", "refresh")


class OAuthClient(Base):
    """A public client, which has no secret.

    ``client_id`` is the URL of its metadata document, which is fetched again after ``fresh_until``, or a
    random text for a client that registered.
    """

    __tablename__ = "oauth_clients"

    id: Mapped[Id]
    client_id: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    redirect_uris: Mapped[Json]
    created_at: Mapped[Created]
    fresh_until: Mapped[Moment | None]
    keep_until: Mapped[Moment] = mapped_column(index=True)


class OAuthGrant(Base):
    """A member's consent for a client and a team; it ends with the membership.

    Its authorization code is stored as SHA-256, and stays after its use so that a second use is noticed.
    ``resource`` is the audience of its tokens. ``expires_at`` is when its code, then its newest refresh token
    expires. ``address`` and ``user_agent`` are those of the client when it got its newest tokens.
    """

    __tablename__ = "oauth_grants"
    __table_args__ = (
        ForeignKeyConstraint(
            ["team_id", "user_id"], ["memberships.team_id", "memberships.user_id"], ondelete="CASCADE"
        ),
    )

    id: Mapped[Id]
    client_ref: Mapped[Ref] = mapped_column(ForeignKey("oauth_clients.id", ondelete="CASCADE"), index=True)
    user_id: Mapped[Ref] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    team_id: Mapped[TeamRef]
    scopes: Mapped[Json]
    resource: Mapped[str]
    code_sha256: Mapped[Short] = mapped_column(unique=True)
    code_challenge: Mapped[str]
    redirect_uri: Mapped[str]
    code_used_at: Mapped[Moment | None]
    created_at: Mapped[Created]
    expires_at: Mapped[Moment] = mapped_column(index=True)
    last_used_at: Mapped[Moment | None]
    address: Mapped[Short | None]
    user_agent: Mapped[str | None] = mapped_column(String(300))


class OAuthToken(Base):
    """An access or refresh token, stored as SHA-256.

    A refresh token that was used (``used_at``) stays, so that a second use is noticed.
    """

    __tablename__ = "oauth_tokens"
    __table_args__ = (CheckConstraint(one_of("kind", KINDS), name="kind"),)

    id: Mapped[Id]
    grant_id: Mapped[Ref] = mapped_column(ForeignKey("oauth_grants.id", ondelete="CASCADE"), index=True)
    kind: Mapped[Short]
    sha256: Mapped[Short] = mapped_column(unique=True)
    scopes: Mapped[Json]
    created_at: Mapped[Created]
    expires_at: Mapped[Moment] = mapped_column(index=True)
    used_at: Mapped[Moment | None]
