from __future__ import annotations

from typing import Any

from docduck.evaluation.check_score import CheckScore
from docduck.evaluation.comparison import Comparison, Grade
from docduck.fields import FieldType

FAILED = {"validation": [{"rule": "net_plus_tax", "message": "Net 1 and tax 1 make 2, not 3"}]}


def compared(grade: Grade, evidence: Any = None, kind: FieldType = FieldType.CURRENCY) -> Comparison:
    return Comparison("Total", None, kind, grade, 1, 1, evidence)


def test_documents_that_warn_are_counted_by_whether_an_amount_is_wrong() -> None:
    score = CheckScore()
    for comparisons in (
        [compared(Grade.RIGHT)],
        [compared(Grade.RIGHT, FAILED), compared(Grade.WRONG, kind=FieldType.TEXT)],
        [compared(Grade.RIGHT), compared(Grade.WRONG, FAILED)],
        [compared(Grade.INVENTED)],
        [compared(Grade.RIGHT), compared(Grade.MISSING)],
        [compared(Grade.RIGHT, kind=FieldType.TEXT)],
    ):
        score.add(comparisons)
    assert (score.right, score.right_warned, score.wrong, score.wrong_warned) == (2, 1, 2, 1)
    assert "1 of 2 (50.0%) documents with a wrong amount" in str(score)
    assert "0 of 0" in str(CheckScore())


def test_a_missing_required_value_is_no_failed_check() -> None:
    score = CheckScore()
    score.add([compared(Grade.RIGHT, {"validation": [{"rule": "required", "message": "missing"}]})])
    assert (score.right, score.right_warned) == (1, 0)
