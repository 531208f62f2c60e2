"""Slugs of parsers, which name their inbox folder, assets and warehouse schema."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Parser
from docduck.errors import Conflict
from docduck.service.core.installation import Installation
from docduck.service.core.slugs import lock_slugs, slug_of
from docduck.warehouse.names import RESERVED_SCHEMAS, check_schema


def free_slug(session: Session, team_id: str, wanted: str | None, name: str) -> str:
    """Return ``wanted``, or a slug made from ``name``, that is free until the transaction ends.

    Slugs of another team's deleted parsers are taken. Raise InputError, Conflict.
    """
    lock_slugs(session)
    taken = set(session.scalars(select(Parser.slug)))
    taken.update(session.scalars(select(Parser.former_slug).where(Parser.team_id != team_id)))
    if wanted is None:
        return slug_of(name, "parser", taken | RESERVED_SCHEMAS)
    check_schema(wanted)
    if wanted in taken:
        raise Conflict(f"A parser with the slug '{wanted}' exists already; choose another slug", "slug")
    return wanted


def id_of_slug(inst: Installation, team_id: str, slug: str) -> str | None:
    """Return the id of the team's parser with this slug; None if there is none."""
    mine = (Parser.team_id == team_id, Parser.deleted_at.is_(None), Parser.slug == slug)
    with inst.catalog.read_session() as session:
        return session.scalar(select(Parser.id).where(*mine))
