"""Teams, users, memberships and API keys; how users sign in, and their sessions."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import CheckConstraint, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from docduck.catalog.models.base import Base, Created, Id, Json, Moment, Ref, Short, TeamRef, Updated, one_of

ROLES = ("owner", "admin", "member", "reviewer")


class Team(Base):
    """A team. It owns all other rows, which other teams never see.

    ``weight`` is its share of the workers. ``quota_used`` of its ``documents_per_day`` were taken in on
    ``quota_day`` (UTC); null means no quota.
    """

    __tablename__ = "teams"

    id: Mapped[Id]
    name: Mapped[str]
    slug: Mapped[Short] = mapped_column(unique=True)
    weight: Mapped[int] = mapped_column(default=1, server_default="1")
    documents_per_day: Mapped[int | None]
    quota_day: Mapped[dt.date | None]
    quota_used: Mapped[int] = mapped_column(default=0, server_default="0")
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]


class User(Base):
    """A user, identified by an address in lower case.

    ``password_hash`` is Argon2id, or null if signing in by password is impossible.
    """

    __tablename__ = "users"

    id: Mapped[Id]
    email: Mapped[str] = mapped_column(String(320), unique=True)
    name: Mapped[str]
    password_hash: Mapped[str | None]
    created_at: Mapped[Created]
    updated_at: Mapped[Updated]


class Membership(Base):
    """A user's role in a team."""

    __tablename__ = "memberships"
    __table_args__ = (
        UniqueConstraint("team_id", "user_id"),
        CheckConstraint(one_of("role", ROLES), name="role"),
    )

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    user_id: Mapped[Ref] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    role: Mapped[Short]
    created_at: Mapped[Created]


class ApiKey(Base):
    """An API key: only its SHA-256 and the eight characters after ``docduck_`` are stored.

    ``permissions`` null means all; ``parser_ids`` null means every parser.
    """

    __tablename__ = "api_keys"

    id: Mapped[Id]
    team_id: Mapped[TeamRef]
    name: Mapped[str]
    prefix: Mapped[Short]
    sha256: Mapped[Short] = mapped_column(unique=True)
    permissions: Mapped[Json | None]
    parser_ids: Mapped[Json | None]
    created_by: Mapped[Ref | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[Created]
    expires_at: Mapped[Moment | None]
    revoked_at: Mapped[Moment | None]
    last_used_at: Mapped[Moment | None]


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
