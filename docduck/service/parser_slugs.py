"""Slugs of parsers: what names their inbox folder, their assets and their schema in the warehouse."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from docduck.catalog.models import Parser
from docduck.errors import Conflict
from docduck.ids import snake_case
from docduck.service.installation import Installation
from docduck.warehouse.names import RESERVED_SCHEMAS, check_schema

T = TypeVar("T")

_LONGEST = 50
_TRIES = 5


def free_slug(session: Session, wanted: str | None, name: str) -> str:
    """``wanted``, or a slug made from ``name`` that is free; raises InputError, Conflict."""
    taken = set(session.scalars(select(Parser.slug)))
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


def inserting(inst: Installation, insert: Callable[[Session], T]) -> T:
    """Do ``insert`` in a transaction, and again where another process took its slug in the meantime."""
    for _ in range(_TRIES - 1):
        with suppress(IntegrityError), inst.catalog.transaction() as session:
            return insert(session)
    with inst.catalog.transaction() as session:
        return insert(session)
