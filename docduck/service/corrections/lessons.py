"""Lessons: what a parser has learned of each field from each corrected or approved document.

Each is a part of a learned layout, and can be removed alone. It stays removed when its document is learned
from again, until the value is set anew.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from uuid import UUID, uuid5

from pydantic import Field as PydanticField
from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, StoredLayout
from docduck.errors import NotFound
from docduck.extraction.extractors.learned.agreement import LayoutCluster, clusters_of, taught_places
from docduck.extraction.extractors.learned.constants import established
from docduck.extraction.extractors.learned.doubts import with_doubts
from docduck.extraction.learned_layout import LearnedLayout
from docduck.fields import Field
from docduck.service.accounts.audit_log import ActorView, actors_named
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page, page_of
from docduck.service.core.schema import UtcTime, ViewPart
from docduck.service.corrections.learning import layout_of
from docduck.service.parsers.parsers import find, view

LessonKind = Literal["place", "header", "constant", "empty"]
LessonStatus = Literal["active", "waiting", "superseded"]


class LessonView(ViewPart):
    """What a parser has learned of a field from one document."""

    id: str
    field_id: str
    field: str
    column: str | None = PydanticField(description="The column, if the lesson is of one of a table")
    kind: LessonKind = PydanticField(
        description="`place`: where the value is printed. `header`: the text over a column. `constant`: the "
        "value of documents that don't print it. `empty`: a place whose value is not the field's"
    )
    status: LessonStatus = PydanticField(
        description="`superseded` if a newer correction teaches another place, `waiting` if another document "
        "has to agree first"
    )
    label: str | None = PydanticField(description="The text that announces the value")
    page: int | None = PydanticField(description="The page of the place, from 1; -1 is the last")
    value: Any = PydanticField(description="The value of a constant")
    documents: int = PydanticField(description="How many documents agree")
    corrected: bool = PydanticField(description="False if people only confirmed the value")
    document_id: str | None = PydanticField(description="The document that taught it; null if it was deleted")
    document_name: str | None
    learned_by: ActorView | None = PydanticField(
        description="Who set the value; null if it was right as read"
    )
    learned_at: UtcTime


@dataclass(frozen=True, slots=True)
class _Source:
    """A learned layout with its id and the name of its document; ``actors`` are those of all edits."""

    id: str
    name: str | None
    layout: LearnedLayout
    actors: Mapping[str, ActorView]

    def lesson(self, field: Field, kind: LessonKind, **more: Any) -> LessonView:
        name = str(field.id)
        column: Field | None = more.pop("column", None)
        edit = self.layout.edits.get(name)
        values: dict[str, Any] = {"status": "active", "label": None, "page": None, "value": None}
        values |= {"documents": 1, "corrected": True}
        return LessonView(
            id=_lesson_id(self.id, _key(field, column)),
            field_id=name,
            field=field.name,
            column=column.name if column else None,
            kind=kind,
            document_id=self.layout.document_id,
            document_name=self.name,
            learned_by=self.actors.get(edit.by) if edit else None,
            learned_at=dt.datetime.fromisoformat(self.layout.taught_at(name)),
            **{**values, **more},
        )


def list_lessons(
    inst: Installation, team_id: str, parser_ref: str, page: int = 1, limit: int = 50
) -> Page[LessonView]:
    """Return a page of a parser's lessons, the newest first; raise NotFound."""
    with inst.catalog.read_session() as session:
        parser = view(find(session, team_id, parser_ref))
        sources = _sources(session, team_id, parser.id)
    lessons = sorted(
        _lessons(parser.fields, sources), key=lambda lesson: (lesson.learned_at, lesson.id), reverse=True
    )
    return page_of(lessons, page, limit)


def document_lessons(inst: Installation, team_id: str, parser_ref: str, document_id: str) -> list[LessonView]:
    """Return what a parser has learned from one document; raise NotFound for the parser."""
    with inst.catalog.read_session() as session:
        parser = view(find(session, team_id, parser_ref))
        sources = _sources(session, team_id, parser.id)
    return [lesson for lesson in _lessons(parser.fields, sources) if lesson.document_id == document_id]


def remove_lesson(
    inst: Installation, team_id: str, parser_ref: str, lesson_id: str, actor: str = "user"
) -> str:
    """Remove a lesson, and return its id; raise NotFound for the parser or the lesson."""
    with inst.catalog.transaction() as session:
        parser = view(find(session, team_id, parser_ref))
        lesson = _find(session, parser.id, parser.fields, lesson_id.lower())
        layout = layout_of(lesson[0]) if lesson else None
        if lesson is None or layout is None or layout.without([lesson[1]]) == layout:
            raise NotFound("Lesson not found", "lessonId", lesson_id)
        (row, key, name), now = lesson, clock.now()
        removed = {**layout.removed, key: clock.iso(now) or ""}
        row.lesson = replace(layout.without([key]), removed=removed).as_json()
        # Runs load learned layouts again when there is a later one.
        row.created_at = now
        details = {"parser": parser.id, "field": name, "document": row.document_id}
        audit.record(session, team_id, actor, "lesson.removed", "lesson", [(lesson_id, details)])
    return lesson_id


def _sources(session: Session, team_id: str, parser_id: str) -> list[_Source]:
    rows = session.execute(
        select(StoredLayout, Document.name)
        .outerjoin(Document, Document.id == StoredLayout.document_id)
        .where(StoredLayout.parser_id == parser_id)
        .order_by(StoredLayout.created_at.desc(), StoredLayout.id.desc())
    ).all()
    layouts = with_doubts([layout_of(row) for row, _ in rows])
    actors = actors_named(session, team_id, {edit.by for layout in layouts for edit in layout.edits.values()})
    return [_Source(row.id, name, layout, actors) for (row, name), layout in zip(rows, layouts, strict=True)]


def _find(
    session: Session, parser_id: str, fields: Sequence[Field], lesson_id: str
) -> tuple[StoredLayout, str, str] | None:
    """Return the layout of a lesson, locked, with the key of the field or column and its name."""
    rows = session.scalars(
        select(StoredLayout)
        .where(StoredLayout.parser_id == parser_id)
        .order_by(StoredLayout.id)
        .with_for_update()
    )
    keys = [(_key(field, column), field.name) for field in fields for column in (None, *field.columns)]
    return next(
        ((row, key, name) for row in rows for key, name in keys if _lesson_id(row.id, key) == lesson_id), None
    )


def _lesson_id(layout_id: str, key: str) -> str:
    return str(uuid5(UUID(layout_id), key))


def _key(field: Field, column: Field | None) -> str:
    return f"{field.id}.{column.id}" if column else str(field.id)


def _lessons(fields: Sequence[Field], sources: Sequence[_Source]) -> Iterator[LessonView]:
    by_layout = {id(source.layout): source for source in sources}
    clusters = clusters_of([source.layout for source in sources])
    for field in fields:
        yield from _places(field, clusters, by_layout)
        for cluster in clusters:
            yield from _constants(field, cluster, by_layout)
        for source in sources:
            yield from _headers(field, source)


def _places(
    field: Field, clusters: Sequence[LayoutCluster], by_layout: dict[int, _Source]
) -> Iterator[LessonView]:
    for taught in taught_places(str(field.id), clusters):
        place = taught.place
        if taught.layout.teaches:
            status = "superseded" if any(taught.rivals()) else "waiting" if taught.is_doubtful else "active"
            yield by_layout[id(taught.layout)].lesson(
                field,
                "place",
                status=status,
                label=place.label or None,
                page=place.page,
                documents=taught.support,
                corrected=place.corrected,
            )


def _constants(field: Field, cluster: LayoutCluster, by_layout: dict[int, _Source]) -> Iterator[LessonView]:
    name = str(field.id)
    constant = established(field, cluster)
    for layout in cluster:
        source = by_layout[id(layout)]
        if name in layout.unprinted:
            yield source.lesson(
                field,
                "constant",
                status="active" if constant else "waiting",
                value=layout.unprinted[name],
                documents=constant.documents if constant else 1,
            )
        elif name in layout.mistakes and layout.mistakes[name].cleared:
            place = layout.mistakes[name].place
            if place is not None:
                yield source.lesson(field, "empty", label=place.label or None, page=place.page)


def _headers(field: Field, source: _Source) -> Iterator[LessonView]:
    headers = source.layout.headers.get(str(field.id), {})
    for column in field.columns:
        if str(column.id) in headers:
            yield source.lesson(field, "header", column=column, label=headers[str(column.id)])
