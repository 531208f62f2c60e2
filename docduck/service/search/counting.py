"""How many documents there are, without counting them: exact totals by parser, folder and status."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck.catalog.models import NO_FOLDER, DocumentCount
from docduck.service.search.selection import Selection


def document_counts(session: Session, parser_ids: Collection[str]) -> dict[str, int]:
    """How many documents each of these parsers has."""
    rows = session.execute(
        select(DocumentCount.parser_id, func.sum(DocumentCount.documents))
        .where(DocumentCount.parser_id.in_(parser_ids))
        .group_by(DocumentCount.parser_id)
    )
    return dict.fromkeys(parser_ids, 0) | {parser_id: int(count) for parser_id, count in rows}


def folder_counts(session: Session, parser_id: str) -> dict[str | None, int]:
    """How many documents each folder of a parser has in itself; None stands for no folder."""
    rows = session.execute(
        select(DocumentCount.folder_id, func.sum(DocumentCount.documents))
        .where(DocumentCount.parser_id == parser_id)
        .group_by(DocumentCount.folder_id)
    )
    return {None if folder_id == NO_FOLDER else folder_id: int(count) for folder_id, count in rows if count}


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
