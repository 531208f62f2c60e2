"""Slugs of parsers, which name their inbox folder, assets and warehouse schema."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck.catalog.database import is_sqlite
from docduck.catalog.models import Parser
from docduck.errors import Conflict
from docduck.ids import snake_case
from docduck.warehouse.names import RESERVED_SCHEMAS, check_schema

_LONGEST = 50
_LOCK = 0x646F636B736C7567
"""The advisory lock on PostgreSQL while a slug is chosen; SQLite has one writer."""


def free_slug(session: Session, team_id: str, wanted: str | None, name: str) -> str:
    """Return ``wanted``, or a slug made from ``name``, that is free until the transaction ends.

    Slugs of another team's deleted parsers are taken. Raise InputError, Conflict.
    """
    if not is_sqlite(session):
        session.execute(select(func.pg_advisory_xact_lock(_LOCK)))
    taken = set(session.scalars(select(Parser.slug)))
    taken.update(session.scalars(select(Parser.former_slug).where(Parser.team_id != team_id)))
    if wanted is not None:
        check_schema(wanted)
        if wanted in taken:
            raise Conflict(f"A parser with the slug '{wanted}' exists already; choose another slug", "slug")
        return wanted
    base = snake_case(name, otherwise="parser").lstrip("_")[:_LONGEST].rstrip("_")
    slug, count = base, 1
    while slug in taken or slug in RESERVED_SCHEMAS:
        count += 1
        slug = f"{base}_{count}"
    return slug
