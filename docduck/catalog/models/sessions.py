"""Sessions of users who signed in on the web pages, and the links and identities by which they may."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.accounts import ROLES
from docduck.catalog.models.base import Base, Created, Id, Moment, Ref, Short, TeamRef, one_of


class UserSession(Base):
    """A browser's session; only the SHA-256 of its token is stored.

    ``team_id`` is the team that the user chose to work for; ``address`` and ``user_agent`` are those of the
    browser when it signed in.
    """

    __tablename__ = "user_sessions"

    id: Mapped[Id]
    user_id: Mapped[Ref] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    team_id: Mapped[Ref | None] = mapped_column(ForeignKey("teams.id", ondelete="SET NULL"))
    token_sha256: Mapped[Short] = mapped_column(unique=True)
    created_at: Mapped[Created]
    last_used_at: Mapped[Moment]
    expires_at: Mapped[Moment]
    address: Mapped[Short | None]
    user_agent: Mapped[str | None] = mapped_column(String(300))


class Invitation(Base):
    """An open invitation to a team, at most one for each address; accepting it deletes it."""

    __tablename__ = "invitations"
    __table_args__ = (
        UniqueConstraint("team_id", "email"),
        CheckConstraint(one_of("role", ROLES), name="role"),
    )

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    email: Mapped[str] = mapped_column(String(320))
    role: Mapped[Short]
    token_sha256: Mapped[Short] = mapped_column(unique=True)
    invited_by: Mapped[Ref] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    created_at: Mapped[Created]
    expires_at: Mapped[Moment]


class PasswordReset(Base):
    """A link by which a user sets a password once."""

    __tablename__ = "password_resets"

    id: Mapped[Id]
    user_id: Mapped[Ref] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    token_sha256: Mapped[Short] = mapped_column(unique=True)
    created_at: Mapped[Created]
    expires_at: Mapped[Moment]


class UserIdentity(Base):
    """A user's identity at an OpenID Connect provider, which stays the same when their address changes."""

    __tablename__ = "user_identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"), UniqueConstraint("user_id", "issuer"))

    id: Mapped[Id]
    user_id: Mapped[Ref] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    issuer: Mapped[str] = mapped_column(String(500))
    subject: Mapped[str] = mapped_column(String(255))
    created_at: Mapped[Created]
