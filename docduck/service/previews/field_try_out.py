"""What a parser's fields read from a document as they stand now, without storing anything."""

from __future__ import annotations

from dataclasses import dataclass

from docduck.errors import InputError
from docduck.extraction.result import Extraction
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_lookup import get_parser_document
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.reading_again import claim_of, offline_parser, read_again


@dataclass(frozen=True, slots=True)
class FieldTryOut:
    """A document, and what is read of it."""

    document_id: str
    name: str
    extraction: Extraction


def try_fields(inst: Installation, team_id: str, parser_ref: str, document_id: str) -> FieldTryOut:
    """Read a document again with its parser's fields and post-processing, without a language model.

    Raise NotFound, and InputError for a document of another parser or one that can't be read.
    """
    parser = get_parser(inst, team_id, parser_ref)
    with inst.catalog.read_session() as session:
        claim = claim_of(get_parser_document(session, team_id, parser.id, document_id), parser.id)
    with offline_parser(inst, parser) as loaded:
        reading = read_again(inst, claim, loaded)
    if reading is None:
        raise InputError("This document can't be read", "document")
    return FieldTryOut(claim.document_id, claim.name, reading.complete(parser.fields))
