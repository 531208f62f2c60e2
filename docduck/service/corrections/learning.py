"""Keeping a parser's learned layouts, which a worker makes from its corrected documents.

Runs look for new ones every few seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, StoredLayout
from docduck.errors import WorkerEnded
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.jobs.extraction_job import TEACHING, ReadTask, TeachTask, pack_fields
from docduck.extraction.learned_layout import Edit, LearnedLayout
from docduck.extraction.result import Location, ValueKey
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.documents.file_passwords import password_of
from docduck.service.parsers.parser_settings import read_settings, reading_of
from docduck.service.parsers.parsers import ParserView, find

MAX_DOCUMENTS = 500
"""Older ones are forgotten."""
LEARN_SECONDS = 60
"""For learning from one corrected document; one that takes longer teaches nothing."""

_log = logging.getLogger(__name__)


def read_task(inst: Installation, parser: ParserView, document: Document) -> ReadTask:
    """Return how a parser reads a document to learn from it."""
    password = password_of(inst.settings, document.id, document.sealed_password)
    reading = replace(reading_of(read_settings(parser.settings), inst.settings), password=password)
    return ReadTask(document.file_name, pack_fields(parser.fields), reading)


def learn(
    inst: Installation,
    parser: ParserView,
    document_id: str,
    sha256: str,
    task: TeachTask,
    edits: Mapping[str, Edit],
) -> Mapping[ValueKey, Sequence[Location]] | None:
    """Learn from a document; ``edits`` tell who set its values, by field id.

    A side worker reads the document again. A document's layout replaces its earlier one. Return the places of
    the ``unplaced`` values that are printed; None if nothing was learned, as the document can't be read in
    time. Raise WorkerEnded if the side worker was lost.
    """
    limits, files = worker_limits(inst.settings, LEARN_SECONDS), map(inst.files.local, [sha256])
    outcome = inst.side_workers.run("lessons", parser.team_id, TEACHING, limits, task, files, None)
    if isinstance(outcome.error, WorkerEnded):
        raise outcome.error
    if outcome.result is None:
        name = task.read.name
        _log.warning("document %s (%r) could not be learned from: %s", document_id, name, outcome.error)
        return None
    keep_lesson(inst, parser, document_id, replace(outcome.result.layout, edits=edits))
    places = zip(task.unplaced, outcome.result.places, strict=True)
    return {key: locations for key, locations in places if locations}


def keep_lesson(inst: Installation, parser: ParserView, document_id: str, layout: LearnedLayout) -> None:
    """Keep what a document teaches its parser; nothing if the document was deleted."""
    with inst.catalog.transaction() as session:
        document = select(Document.id).where(Document.id == document_id)
        if session.scalar(document.with_for_update(read=True, key_share=True)) is None:
            return
        former = session.scalar(select(StoredLayout).where(StoredLayout.document_id == document_id))
        now = clock.now()
        layout = _without_removed(replace(layout, learned_at=clock.iso(now) or ""), former)
        session.execute(delete(StoredLayout).where(StoredLayout.document_id == document_id))
        session.add(
            StoredLayout(
                id=former.id if former else new_id(),
                team_id=parser.team_id,
                parser_id=parser.id,
                document_id=document_id,
                lesson=layout.as_json(),
                created_at=now,
            )
        )
        session.flush()
        surplus = (
            select(StoredLayout.id)
            .where(StoredLayout.parser_id == parser.id)
            .order_by(StoredLayout.created_at.desc(), StoredLayout.id.desc())
            .offset(MAX_DOCUMENTS)
        )
        session.execute(delete(StoredLayout).where(StoredLayout.id.in_(list(session.scalars(surplus)))))


def _without_removed(layout: LearnedLayout, former: StoredLayout | None) -> LearnedLayout:
    """Return the layout without lessons that people removed, unless they set the value again since."""
    if former is None:
        return layout
    edited = {name: edit.at for name, edit in layout.edits.items()}
    removed = {
        name: moment
        for name, moment in LearnedLayout.from_json(former.lesson).removed.items()
        # The columns of a table are set with it.
        if edited.get(name.partition(".")[0], "") < moment
    }
    return replace(layout.without(removed), removed=removed)


def unlearn(session: Session, document_id: str) -> None:
    """Forget what a document has taught, as the decision that taught it is undone."""
    session.execute(delete(StoredLayout).where(StoredLayout.document_id == document_id))


def has_room(session: Session, parser_id: str) -> bool:
    """Return whether another layout of the parser can be kept without deleting one."""
    mine = select(func.count()).select_from(StoredLayout).where(StoredLayout.parser_id == parser_id)
    return (session.scalar(mine) or 0) < MAX_DOCUMENTS


def learned_layouts(inst: Installation, parser_id: str) -> tuple[LearnedLayout, ...]:
    """Return a parser's learned layouts, newest first, with the ids of their documents."""
    with inst.catalog.read_session() as session:
        rows = session.scalars(
            select(StoredLayout)
            .where(StoredLayout.parser_id == parser_id)
            .order_by(StoredLayout.created_at.desc(), StoredLayout.id.desc())
        )
        return tuple(layout_of(row) for row in rows)


def layout_of(row: StoredLayout) -> LearnedLayout:
    """Return a stored layout with its document's id."""
    layout = LearnedLayout.from_json(row.lesson)
    moment = layout.learned_at or clock.iso(row.created_at) or ""
    return replace(layout, document_id=row.document_id, learned_at=moment)


def layout_versions(inst: Installation, parser_ids: Sequence[str]) -> dict[str, str]:
    """Return, for each parser with learned layouts, a text that changes whenever they do."""
    with inst.catalog.read_session() as session:
        rows = session.execute(
            select(StoredLayout.parser_id, func.count(), func.max(StoredLayout.created_at))
            .where(StoredLayout.parser_id.in_(parser_ids))
            .group_by(StoredLayout.parser_id)
        )
        return {parser_id: f"{count} {newest}" for parser_id, count, newest in rows}


def forget_layouts(inst: Installation, team_id: str, parser_ref: str) -> int:
    """Delete all learned layouts of a parser; return how many. Raise NotFound."""
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref)
        ids = list(
            session.scalars(
                select(StoredLayout.id).where(
                    StoredLayout.parser_id == parser.id, StoredLayout.team_id == team_id
                )
            )
        )
        session.execute(delete(StoredLayout).where(StoredLayout.id.in_(ids)))
        return len(ids)
