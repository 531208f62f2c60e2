"""Learning: lessons are made from documents that people put right, kept by parser, and forgotten.

A lesson counts from the next document on: runs look for new ones every few seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, func, select

from docduck import clock
from docduck.catalog.models import Document
from docduck.catalog.models import StoredLayout as LessonRow
from docduck.extraction.from_settings import worker_limits
from docduck.extraction.jobs.extraction_job import ReadTask, TeachTask, pack_fields, teaching_pool
from docduck.extraction.learned_layout import LearnedLayout
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.parsers.parser_settings import read_settings, reading_of
from docduck.service.parsers.parsers import ParserView, find

_log = logging.getLogger(__name__)


def learn(
    inst: Installation,
    parser: ParserView,
    document_id: str,
    sha256: str,
    name: str,
    data: Mapping[str, Any],
    before: Mapping[str, Any],
    user_id: str | None = None,
) -> bool:
    """Learn from a document with the values ``data`` and those read ``before``, both by field name.

    The document is read again with its parser's settings, in a side worker. A later lesson of a document
    replaces its earlier one. Return whether there is a lesson: a document that can't be read, or not in time,
    teaches nothing.
    """
    settings = inst.settings
    read = ReadTask(name, pack_fields(parser.fields), reading_of(read_settings(parser.settings), settings))
    seconds = settings.lesson_seconds
    limits = replace(worker_limits(settings), seconds=seconds, most_seconds=seconds)
    with inst.side_workers.pool("lessons", lambda: teaching_pool(limits)) as pool:
        pool.submit(document_id, TeachTask(read, dict(data), dict(before)), [inst.files.path(sha256)])
        (outcome,) = pool.wait()
    if outcome.result is None:
        _log.warning("document %s (%r) teaches nothing: %s", document_id, name, outcome.error)
        return False
    _keep(inst, parser, document_id, outcome.result, user_id)
    return True


def _keep(
    inst: Installation, parser: ParserView, document_id: str, lesson: LearnedLayout, user_id: str | None
) -> None:
    with inst.catalog.transaction() as session:
        there = select(Document.id).where(Document.id == document_id)
        if session.scalar(there.with_for_update(read=True, key_share=True)) is None:
            return
        session.execute(delete(LessonRow).where(LessonRow.document_id == document_id))
        session.add(
            LessonRow(
                id=new_id(),
                team_id=parser.team_id,
                parser_id=parser.id,
                document_id=document_id,
                lesson=lesson.as_json(),
                user_id=user_id,
                created_at=clock.now(),
            )
        )
        session.flush()
        surplus = (
            select(LessonRow.id)
            .where(LessonRow.parser_id == parser.id)
            .order_by(LessonRow.created_at.desc(), LessonRow.id.desc())
            .offset(inst.settings.lessons_per_parser)
        )
        session.execute(delete(LessonRow).where(LessonRow.id.in_(list(session.scalars(surplus)))))


def lessons_of(inst: Installation, parser_id: str) -> tuple[LearnedLayout, ...]:
    """Return a parser's lessons, the newest first, with the documents that taught them."""
    with inst.catalog.read_session() as session:
        rows = session.execute(
            select(LessonRow.lesson, LessonRow.document_id)
            .where(LessonRow.parser_id == parser_id)
            .order_by(LessonRow.created_at.desc(), LessonRow.id.desc())
        )
        return tuple(replace(LearnedLayout.from_json(lesson), document_id=id_) for lesson, id_ in rows)


def lesson_marks(inst: Installation, parser_ids: Sequence[str]) -> dict[str, str]:
    """For each parser that has lessons, a text that changes whenever they do."""
    with inst.catalog.read_session() as session:
        rows = session.execute(
            select(LessonRow.parser_id, func.count(), func.max(LessonRow.created_at))
            .where(LessonRow.parser_id.in_(parser_ids))
            .group_by(LessonRow.parser_id)
        )
        return {parser_id: f"{count} {newest}" for parser_id, count, newest in rows}


def forget(inst: Installation, team_id: str, parser_ref: str) -> int:
    """Drop all that a parser has learned; gives how many lessons. Raises NotFound."""
    with inst.catalog.transaction() as session:
        parser = find(session, team_id, parser_ref)
        ids = list(
            session.scalars(
                select(LessonRow.id).where(LessonRow.parser_id == parser.id, LessonRow.team_id == team_id)
            )
        )
        session.execute(delete(LessonRow).where(LessonRow.id.in_(ids)))
        return len(ids)
