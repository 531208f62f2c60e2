"""Slugs: short names of parsers and classifiers, in paths, folders and the warehouse."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck.catalog.database import is_sqlite
from docduck.ids import snake_case

_LONGEST = 50
_LOCK = 0x646F636B736C7567
"""The advisory lock on PostgreSQL while a slug is chosen; SQLite has one writer."""


def lock_slugs(session: Session) -> None:
    """Let nobody else choose a slug until the transaction ends."""
    if not is_sqlite(session):
        session.execute(select(func.pg_advisory_xact_lock(_LOCK)))


def slug_of(name: str, otherwise: str, taken: Collection[str]) -> str:
    """Return a slug made from ``name`` that is not ``taken``: ``invoices``, ``invoices_2`` …"""
    base = snake_case(name, otherwise).lstrip("_")[:_LONGEST].rstrip("_")
    slug, count = base, 1
    while slug in taken:
        count += 1
        slug = f"{base}_{count}"
    return slug
