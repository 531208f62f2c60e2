"""The e-mail addresses of parsers and classifiers: unguessable names in the installation's mail domain."""

from __future__ import annotations

import secrets

from sqlalchemy import or_, select, update

from docduck.catalog.models import Classifier, Parser
from docduck.ids import snake_case
from docduck.service.core.installation import Installation
from docduck.settings import Settings

_LONGEST_NAME = 30
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_RANDOM_LETTERS = 12


def new_address(settings: Settings, name: str) -> str | None:
    """Return a new address, beginning with ``name``; None if the installation has no mail domain."""
    if settings.mail_domain is None:
        return None
    readable = snake_case(name, "documents").replace("_", "-")[:_LONGEST_NAME].strip("-")
    secret = "".join(secrets.choice(_LETTERS) for _ in range(_RANDOM_LETTERS))
    return f"{readable}-{secret}@{settings.mail_domain.lower()}"


def update_addresses(inst: Installation) -> int:
    """Give addresses to parsers and classifiers without one, and the present mail domain to all others.

    Return how many changed.
    """
    domain = inst.settings.mail_domain
    if domain is None:
        return 0
    changed = 0
    ending = f"@{domain.lower()}"
    tables: tuple[type[Parser] | type[Classifier], ...] = (Parser, Classifier)
    with inst.catalog.transaction() as session:
        for table in tables:
            elsewhere = ~table.email_address.endswith(ending, autoescape=True)
            conditions = (table.deleted_at.is_(None), or_(table.email_address.is_(None), elsewhere))
            rows = session.execute(select(table.id, table.name, table.email_address).where(*conditions)).all()
            for row_id, name, address in rows:
                known = (address or "").partition("@")[0]
                new = f"{known}{ending}" if known else new_address(inst.settings, name)
                session.execute(update(table).where(table.id == row_id).values(email_address=new))
            changed += len(rows)
    return changed
