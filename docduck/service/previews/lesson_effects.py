"""What reading documents again would change after a lesson, without storing anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from docduck.catalog.models import StoredLayout
from docduck.errors import NotFound
from docduck.extraction.learned_layout import LayoutFingerprint
from docduck.service.core.installation import Installation
from docduck.service.corrections.learning import layout_of
from docduck.service.documents.queries.document_views import show_document
from docduck.service.previews.reading_again import loaded_parser, read_if_alike
from docduck.service.previews.try_out import TriedValue, claimed, tried_values

_MOST_CHANGES = 12


@dataclass(frozen=True, slots=True)
class LessonEffect:
    """What would change in a document that is like the one that taught: the first changes, and how many more.

    ``is_alike`` is False for a document of another layout, which a lesson doesn't concern.
    """

    is_alike: bool
    changes: Sequence[TriedValue] = ()
    left_out: int = 0


def lesson_effect(
    inst: Installation, team_id: str, parser_id: str, taught_by: str, document_id: str
) -> LessonEffect:
    """Read a document again if it is like ``taught_by``, and compare with its values.

    It is read in its parser's mode. Raise NotFound, also if nothing was learned from ``taught_by``, and
    InputError for a document of another parser.
    """
    like = _fingerprint(inst, team_id, parser_id, taught_by)
    parser, claim = claimed(inst, team_id, parser_id, document_id)
    before = show_document(inst, team_id, parser.id, document_id)
    with loaded_parser(inst, parser) as loaded:
        reading = read_if_alike(inst, claim, loaded, like)
    if reading is None:
        return LessonEffect(False)
    after = reading.complete(parser.fields)
    read = [field for field in parser.fields if field.extract]
    values = tried_values(read, before.data, after.data)
    changes = [value for value in values if value.before != value.after]
    return LessonEffect(True, changes[:_MOST_CHANGES], len(changes[_MOST_CHANGES:]))


def has_taught(inst: Installation, team_id: str, parser_id: str, document_id: str) -> bool:
    """Return whether something was learned from a document."""
    try:
        _fingerprint(inst, team_id, parser_id, document_id)
    except NotFound:
        return False
    return True


def _fingerprint(inst: Installation, team_id: str, parser_id: str, document_id: str) -> LayoutFingerprint:
    with inst.catalog.read_session() as session:
        row = session.scalar(
            select(StoredLayout).where(
                StoredLayout.document_id == document_id,
                StoredLayout.parser_id == parser_id,
                StoredLayout.team_id == team_id,
            )
        )
        if row is None:
            raise NotFound("Nothing was learned from this document", "documentId", document_id)
        return layout_of(row).fingerprint
