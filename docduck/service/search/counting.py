"""How many documents there are, without counting them: exact totals by parser, folder and status."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck.catalog.models import NO_FOLDER, DocumentCount
from docduck.service.search.selection import Selection


def total_of(session: Session, selection: Selection) -> int:
    """How many documents are selected; ``tests`` are not looked at."""
    if selection.is_counted:
        return total_of_places(session, selection)
    return session.scalar(selection.entries(func.count()).where(*selection.sets())) or 0


def total_of_places(session: Session, selection: Selection) -> int:
    """How many documents the parser has in the selection's status and folder."""
    statement = select(func.sum(DocumentCount.documents)).where(
        DocumentCount.parser_id == selection.parser_id
    )
    if selection.wanted_status is not None:
        statement = statement.where(DocumentCount.status == selection.wanted_status)
    if selection.folder_ids is not None:
        statement = statement.where(DocumentCount.folder_id.in_(selection.folder_ids or (NO_FOLDER,)))
    return int(session.scalar(statement) or 0)
