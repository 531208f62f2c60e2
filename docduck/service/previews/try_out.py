"""What a parser's fields and post-processing do to a document as they are now, without storing anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from docduck.errors import InputError
from docduck.extraction.result import Extraction
from docduck.extraction.values.typed_values import text_of
from docduck.fields import Field, FieldType
from docduck.files.names import file_name
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import Claim
from docduck.service.documents.queries.document_lookup import get_parser_document
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.service.previews.reading_again import loaded_parser, read_again, without_model
from docduck.service.uploads.file_uploads import UploadedFile, check_type

_MOST_VALUES = 500


@dataclass(frozen=True, slots=True)
class FieldTryOut:
    """A document, or a file that is none and so has no id, and what is read of it."""

    document_id: str | None
    name: str
    extraction: Extraction


def try_fields(inst: Installation, team_id: str, parser_ref: str, document_id: str) -> FieldTryOut:
    """Read a document again with its parser's fields and post-processing, in its parser's mode.

    Raise NotFound, and InputError for a document of another parser or one that can't be read.
    """
    parser, claim = claimed(inst, team_id, parser_ref, document_id)
    with loaded_parser(inst, parser) as loaded:
        reading = read_again(inst, claim, loaded)
    if reading is None:
        raise InputError("This document can't be read", "document")
    return FieldTryOut(claim.document_id, claim.name, reading.complete(parser.fields))


def try_file(
    inst: Installation, team_id: str, parser_ref: str, file: UploadedFile, path: Path
) -> FieldTryOut:
    """Read a file that is not stored, at ``path``, as ``try_fields`` reads documents.

    Raise NotFound, UnsupportedType, and InputError for one that can't be read.
    """
    parser = get_parser(inst, team_id, parser_ref)
    check_type(file, parser.settings.get("acceptedFileTypes", ()))
    name, kind = file_name(file.name), file.content_type
    claim = Claim(new_id(), team_id, parser.id, parser.id, name, file.stored.sha256, kind, 0, None)
    with loaded_parser(inst, parser) as loaded:
        reading = read_again(inst, claim, loaded, path)
    if reading is None:
        raise InputError("This file can't be read", "file")
    return FieldTryOut(None, name, reading.complete(parser.fields))


@dataclass(frozen=True, slots=True)
class TriedValue:
    """A value or a cell, before and after the steps; ``place`` is its field, or table, row and column."""

    place: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TryOut:
    """What the steps do to a document: all values outside of tables, and the cells that change.

    ``warnings`` are those of the steps; ``left_out`` counts further cells.
    """

    name: str
    values: Sequence[TriedValue]
    warnings: Sequence[str]
    left_out: int


def try_post_processing(inst: Installation, team_id: str, parser_ref: str, document_id: str) -> TryOut:
    """Read a document again, without and with its parser's post-processing, and without a language model.

    Raise NotFound, and InputError for a document of another parser or one that can't be read.
    """
    parser, claim = claimed(inst, team_id, parser_ref, document_id)
    with loaded_parser(inst, parser) as loaded:
        offline = without_model(loaded)
        before = read_again(inst, claim, replace(offline, post_processing=None))
        after = read_again(inst, claim, offline)
    if before is None or after is None:
        raise InputError("This document can't be read", "document")
    changes = list(tried_values(parser.fields, before.data, after.data))
    return TryOut(
        claim.name,
        changes[:_MOST_VALUES],
        [warning for warning in after.warnings if warning not in before.warnings],
        len(changes[_MOST_VALUES:]),
    )


def claimed(inst: Installation, team_id: str, parser_ref: str, document_id: str) -> tuple[ParserView, Claim]:
    """Return a parser, and what is read of a document of it; raise NotFound and InputError."""
    parser = get_parser(inst, team_id, parser_ref)
    with inst.catalog.read_session() as session:
        return parser, Claim.of(get_parser_document(session, team_id, parser.id, document_id))


def tried_values(
    fields: Sequence[Field], before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[TriedValue]:
    """Yield all values outside of tables, and the cells that differ."""
    for field in fields:
        old, new = before.get(field.name), after.get(field.name)
        if field.type is not FieldType.TABLE:
            yield TriedValue(field.name, text_of(old) or "", text_of(new) or "")
            continue
        rows: Iterator[tuple[dict[str, Any], ...]] = zip_longest(old or (), new or (), fillvalue={})
        for number, (was, row) in enumerate(rows, start=1):
            for column in field.columns:
                texts = (text_of(state.get(column.name)) or "" for state in (was, row))
                cell = TriedValue(f"{field.name}, row {number}, {column.name}", *texts)
                if cell.before != cell.after:
                    yield cell
