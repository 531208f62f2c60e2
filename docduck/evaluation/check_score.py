"""How well the checks tell documents with a wrong amount from those whose amounts are right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from docduck.evaluation.comparison import Comparison, Grade
from docduck.extraction.arithmetic import fails_check
from docduck.fields import NUMERIC

_MISREAD = (Grade.WRONG, Grade.INVENTED)


@dataclass(slots=True)
class CheckScore:
    """Documents whose amounts are all ``right`` and those with a ``wrong`` one, and how many of them warn.

    A document warns if a value fails a check of sums. One that only lacks amounts counts as neither.
    """

    right: int = 0
    right_warned: int = 0
    wrong: int = 0
    wrong_warned: int = 0

    def add(self, comparisons: Iterable[Comparison]) -> None:
        """Add one document."""
        amounts = [comparison for comparison in comparisons if comparison.kind in NUMERIC]
        warns = any(fails_check(comparison.evidence) for comparison in amounts)
        if any(comparison.grade in _MISREAD for comparison in amounts):
            self.wrong += 1
            self.wrong_warned += warns
        elif amounts and all(comparison.grade is Grade.RIGHT for comparison in amounts):
            self.right += 1
            self.right_warned += warns

    def __str__(self) -> str:
        return (
            f"Checks of sums warn of {_share(self.wrong_warned, self.wrong)} documents with a wrong amount, "
            f"and of {_share(self.right_warned, self.right)} with none"
        )


def _share(some: int, whole: int) -> str:
    return f"{some} of {whole} ({some / whole:.1%})" if whole else "0 of 0"
