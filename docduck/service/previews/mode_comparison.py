"""A reviewed document read offline and with the language model, so that a parser's mode can be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from docduck.evaluation.job import compare_all
from docduck.evaluation.score import SuiteScore
from docduck.extraction.result import Extraction
from docduck.service.core.installation import Installation
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.known_documents import KnownDocument, known_documents
from docduck.service.previews.reading_again import (
    loaded_parser,
    reading_outcome,
    with_model,
    without_model,
)
from docduck.service.previews.side_reading import usable_model
from docduck.workers.task_queue import TaskOutcome


@dataclass(frozen=True, slots=True)
class ModeComparison:
    """The scores of one document in both ways, and what reading with the model warns of beyond the other."""

    offline: SuiteScore = field(default_factory=SuiteScore)
    model: SuiteScore = field(default_factory=SuiteScore)
    warnings: Sequence[str] = ()


def compare_modes(inst: Installation, team_id: str, parser_id: str, document_id: str) -> ModeComparison:
    """Read a document whose values are known offline and with the model; nothing of it is stored.

    What the document itself has taught is left out. Raise Conflict without a model, and if the team's budget
    for it is spent; InputError for a broken parser, NotFound for a document that nobody reviewed.
    """
    parser = get_parser(inst, team_id, parser_id)
    usable_model(inst, team_id, read_settings(parser.settings).model)
    with loaded_parser(inst, parser) as loaded:
        _, (document,) = known_documents(inst, loaded.view, [document_id])
        offline = reading_outcome(inst, document.claim, without_model(loaded))
        model = reading_outcome(inst, document.claim, with_model(loaded))
    before = offline.result.warnings if offline.result else ()
    after = model.result.warnings if model.result else [str(model.error)]
    warnings = [warning for warning in after if warning not in before]
    return ModeComparison(_score(document, offline), _score(document, model), warnings)


def _score(document: KnownDocument, outcome: TaskOutcome[Extraction | None]) -> SuiteScore:
    read = outcome.result
    score = SuiteScore(failed=int(read is None))
    score.add(compare_all(document.fields, document.truth, read.data if read else {}))
    score.add_reading(outcome.seconds, read.usage if read else None)
    return score
