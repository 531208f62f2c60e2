"""The accuracy of a parser on its known-good documents: as they were read, and as they are read now.

Known-good are approved documents, and those with corrected values: what they have now is the truth. What a
document itself has taught is left out when it is read again.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from docduck.catalog.models import Document, DocumentResult
from docduck.errors import InputError, NotFound
from docduck.evaluation.job import compare_all
from docduck.evaluation.score import SuiteScore
from docduck.extraction.result import Extraction
from docduck.service.core.installation import Installation
from docduck.service.corrections.accuracy import is_reviewed
from docduck.service.documents import values
from docduck.service.documents.claim import Claim
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.reading_again import claim_of, read_again
from docduck.service.processing.loaded_parsers import LoadedParser, LoadedParsers
from docduck.statuses import Status

MAX_DOCUMENTS = 50
"""Of one evaluation."""
EVALUATION_SECONDS = 45
"""How long one evaluation reads documents."""

_JUDGED = (Status.PROCESSED, Status.IN_REVIEW, Status.APPROVED)


@dataclass(frozen=True, slots=True)
class KnownGood:
    """A document with its true values, and those that were read before anyone corrected them."""

    claim: Claim
    truth: dict[str, Any]
    before: dict[str, Any]


@dataclass(slots=True)
class ParserEvaluation:
    """Scores of the same documents before and now; ``remaining`` documents were not read in time.

    ``failed`` documents can't be read now; nothing of them is right. ``not_reviewed`` is the number of the
    parser's documents with values that are not known-good.
    """

    before: SuiteScore = field(default_factory=SuiteScore)
    now: SuiteScore = field(default_factory=SuiteScore)
    evaluated: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    remaining: list[str] = field(default_factory=list)
    not_reviewed: int = 0


def evaluate_parser(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_ids: Sequence[str] | None = None,
    on_progress: Callable[[int, int], None] = lambda read, count: None,
) -> ParserEvaluation:
    """Read known-good documents again, the newest first or those that are named; at least one.

    It ends at the time limit of the settings. ``on_progress`` is told after each document how many were read,
    and of how many. Raise NotFound for the parser or for named documents that are not known-good documents of
    it, and InputError if there are none or the parser is broken.
    """
    end = time.monotonic() + EVALUATION_SECONDS
    parser = get_parser(inst, team_id, parser_id)
    with tempfile.TemporaryDirectory(prefix="docduck-evaluation-") as folder:
        parsers = LoadedParsers(inst, Path(folder))
        parsers.refresh([parser.id])
        loaded = parsers.get(parser.id)
        if loaded is None:
            raise InputError(parser.problem or "Parser was deleted", "parserId")
        known = _known_good(inst, loaded, document_ids)
        result = ParserEvaluation(not_reviewed=_not_reviewed(inst, parser.id))
        for number, good in enumerate(known):
            if number and time.monotonic() >= end:
                result.remaining = [late.claim.document_id for late in known[number:]]
                break
            _add(result, good, loaded, read_again(inst, good.claim, loaded))
            on_progress(number + 1, len(known))
    return result


def _known_good(
    inst: Installation, loaded: LoadedParser, document_ids: Sequence[str] | None
) -> list[KnownGood]:
    statement = (
        select(Document, DocumentResult)
        .join(DocumentResult, DocumentResult.document_id == Document.id)
        .where(Document.parser_id == loaded.view.id, Document.status.in_(_JUDGED), is_reviewed())
        .order_by(Document.created_at.desc(), Document.id.desc())
        .limit(MAX_DOCUMENTS)
    )
    if document_ids is not None:
        statement = statement.where(Document.id.in_(document_ids))
    with inst.catalog.read_session() as session:
        rows = session.execute(statement).all()
        documents = [_known(document, result, loaded) for document, result in rows]
    missing = sorted(set(document_ids or ()) - {document.claim.document_id for document in documents})
    if missing:
        words = "Not an approved or corrected document of this parser"
        raise NotFound(
            words, "documentId", missing[0], [("documentId", document_id) for document_id in missing[1:]]
        )
    if not documents:
        raise InputError("The parser has no approved or corrected documents yet", "parserId")
    return documents


def _not_reviewed(inst: Installation, parser_id: str) -> int:
    mine = Document.parser_id == parser_id, Document.status.in_(_JUDGED), ~is_reviewed()
    with inst.catalog.read_session() as session:
        return (
            session.scalar(
                select(func.count())
                .select_from(Document)
                .join(DocumentResult, DocumentResult.document_id == Document.id)
                .where(*mine)
            )
            or 0
        )


def _known(document: Document, result: DocumentResult, loaded: LoadedParser) -> KnownGood:
    fields = loaded.view.fields
    before = result.values if result.read_values is None else result.read_values
    return KnownGood(
        claim_of(document, loaded.view.id), values.named(fields, result.values), values.named(fields, before)
    )


def _add(result: ParserEvaluation, document: KnownGood, loaded: LoadedParser, now: Extraction | None) -> None:
    fields = [field for field in loaded.view.fields if field.extract]
    result.evaluated.append(document.claim.document_id)
    if now is None:
        result.failed.append(document.claim.document_id)
    result.before.add(compare_all(fields, document.truth, document.before))
    result.now.add(compare_all(fields, document.truth, now.data if now else {}))
