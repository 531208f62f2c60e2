"""The accuracy of a parser on documents whose values are known: as they were read, and as they are read now.

What a document itself has taught is left out when it is read again.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from docduck.evaluation.comparison import Comparison, normal
from docduck.evaluation.job import compare_all
from docduck.evaluation.score import SuiteScore
from docduck.extraction.result import Extraction
from docduck.fields import FieldType
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.known_documents import (
    Basis,
    KnownDocument,
    Truth,
    count_not_reviewed,
    known_documents,
)
from docduck.service.previews.reading_again import loaded_parser, reading_outcome

MAX_WRONG_CELLS = 100
"""That one evaluation lists."""
EVALUATION_SECONDS = 45
"""How long one evaluation reads documents."""


@dataclass(frozen=True, slots=True)
class WrongCell:
    """A value, list item or table cell that is read wrong now; ``field`` is ``Table.Column`` for a cell.

    ``row`` is the true row, from 1, or that of the table as it is read if there is no such true row.
    """

    document_id: str
    field: str
    row: int | None
    expected: Any
    got: Any
    got_before: Any


@dataclass(slots=True)
class ParserEvaluation:
    """Scores of the same documents before and now; ``remaining_documents`` were not read in time.

    ``counts`` are the documents evaluated by their basis. ``failed_documents`` can't be read now; nothing of
    them is right. ``wrong_cells`` are the first of ``wrong_cell_count``. ``documents_not_reviewed`` is the
    number of the parser's documents with values that nobody corrected, confirmed or approved.
    """

    basis: Basis
    before: SuiteScore = field(default_factory=SuiteScore)
    now: SuiteScore = field(default_factory=SuiteScore)
    counts: Counter[Basis] = field(default_factory=Counter)
    evaluated_documents: list[str] = field(default_factory=list)
    failed_documents: list[str] = field(default_factory=list)
    remaining_documents: list[str] = field(default_factory=list)
    wrong_cells: list[WrongCell] = field(default_factory=list)
    wrong_cell_count: int = 0
    documents_not_reviewed: int = 0

    def add(self, document: KnownDocument, now: Extraction | None) -> None:
        """Add a document as it is read now, if it can be."""
        document_id = document.claim.document_id
        self.evaluated_documents.append(document_id)
        self.counts[document.basis] += 1
        if now is None:
            self.failed_documents.append(document_id)
        before = compare_all(document.fields, document.truth, document.before)
        comparisons = compare_all(document.fields, document.truth, now.data if now else {})
        self.before.add(before)
        self.now.add(comparisons)
        wrong = list(_wrong_cells(document, before, comparisons))
        self.wrong_cell_count += len(wrong)
        self.wrong_cells += wrong[: MAX_WRONG_CELLS - len(self.wrong_cells)]


def evaluate_parser(
    inst: Installation,
    team_id: str,
    parser_id: str,
    document_ids: Sequence[str] | None = None,
    truth: Truth | None = None,
    basis: Basis | None = None,
    on_progress: Callable[[int, int], None] = lambda read, count: None,
) -> ParserEvaluation:
    """Read documents with known values again, as ``known_documents`` chooses them.

    It ends at the time limit, after at least one document. ``on_progress`` is told after each how many were
    read, and of how many. Raise NotFound for the parser, InputError if it is broken, and the errors of
    ``known_documents``.
    """
    end = time.monotonic() + EVALUATION_SECONDS
    parser = get_parser(inst, team_id, parser_id)
    with loaded_parser(inst, parser) as loaded:
        basis, known = known_documents(inst, loaded.view, document_ids, truth, basis)
        result = ParserEvaluation(basis, documents_not_reviewed=count_not_reviewed(inst, loaded.view))
        for number, document in enumerate(known):
            if number and time.monotonic() >= end:
                result.remaining_documents = [late.claim.document_id for late in known[number:]]
                break
            result.add(document, reading_outcome(inst, document.claim, loaded).result)
            on_progress(number + 1, len(known))
    return result


def _wrong_cells(
    document: KnownDocument, before: Sequence[Comparison], now: Sequence[Comparison]
) -> Iterator[WrongCell]:
    was = {_cell(comparison): comparison.found for comparison in before}
    was.pop((), None)
    for comparison in now:
        if comparison.missed:
            yield WrongCell(
                document.claim.document_id,
                comparison.name,
                comparison.row,
                comparison.truth,
                comparison.found,
                was.get(_cell(comparison)),
            )


def _cell(comparison: Comparison) -> tuple[Any, ...]:
    """Return what identifies a true cell before and now; nothing does for a row that is not true."""
    if comparison.column is not None:
        return () if comparison.true_row is None else (comparison.name, comparison.true_row)
    if comparison.kind is FieldType.LIST:
        item = comparison.found if comparison.truth is None else comparison.truth
        return comparison.name, normal(FieldType.LIST, item)
    return (comparison.name,)
