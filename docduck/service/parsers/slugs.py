"""Slugs: short names of parsers and classifiers, in paths, folders, assets and the warehouse."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck.catalog.database import is_sqlite
from docduck.catalog.models import Parser
from docduck.errors import Conflict
from docduck.ids import snake_case, unique
from docduck.warehouse.names import RESERVED_SCHEMAS, check_schema

_LONGEST = 50
_LOCK = 0x646F636B736C7567
"""The advisory lock on PostgreSQL while a slug is chosen; SQLite has one writer."""


def lock_slugs(session: Session) -> None:
    """Let nobody else choose a slug until the transaction ends."""
    if not is_sqlite(session):
        session.execute(select(func.pg_advisory_xact_lock(_LOCK)))


def slug_of(name: str, otherwise: str, taken: Collection[str]) -> str:
    """Return a slug made from ``name`` that is not ``taken``: ``invoices``, ``invoices_2`` …"""
    return unique(snake_case(name, otherwise).lstrip("_")[:_LONGEST].rstrip("_"), taken)


def free_slug(session: Session, team_id: str, slug: str | None, name: str) -> str:
    """Return a parser's slug, ``slug`` or made from ``name``, that is free until the transaction ends.

    Slugs of another team's deleted parsers are taken. Raise InputError, Conflict.
    """
    lock_slugs(session)
    taken = set(session.scalars(select(Parser.slug)))
    taken.update(session.scalars(select(Parser.former_slug).where(Parser.team_id != team_id)))
    if slug is None:
        return slug_of(name, "parser", taken | RESERVED_SCHEMAS)
    check_schema(slug)
    if slug in taken:
        raise Conflict(
            f"A parser with the slug '{slug}' exists already; choose another slug", "slug", code="slug_exists"
        )
    return slug
