"""The versions of parsers' tables: a version is the moment as of which the tables were last written.

Whoever writes rows stores it in the transaction in which the catalog forgets that they were out of date. So
what follows the tables misses no change, whichever process wrote it, and wherever that process was killed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from sqlalchemy import literal, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Parser, TableVersion
from docduck.catalog.models.base import UtcDateTime
from docduck.catalog.upsert import upsert
from docduck.service.core.installation import Installation


def store_versions(session: Session, parser_ids: Collection[str], at: dt.datetime) -> None:
    """Store that the tables of these parsers were written, with all changes before ``at``."""
    if parser_ids:
        moment = literal(at, UtcDateTime).label("at")
        written = select(Parser.id.label("parser_id"), Parser.team_id, moment)
        rows = written.where(Parser.id.in_(parser_ids)).order_by(Parser.id)
        upsert(session, TableVersion, rows, ["parser_id"], replace=["at"])


def table_versions(inst: Installation) -> dict[str, dt.datetime]:
    """Return the versions of all teams' tables, by the id of their parser; omit those never written."""
    live = select(TableVersion.parser_id, TableVersion.at).join(Parser, Parser.id == TableVersion.parser_id)
    with inst.catalog.read_session() as session:
        return {parser_id: at for parser_id, at in session.execute(live.where(Parser.deleted_at.is_(None)))}
