"""Counts of right values, by field and suite."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from docduck.evaluation.comparison import Comparison, Grade
from docduck.extraction.model_usage import ModelUsage


@dataclass(slots=True)
class FieldScore:
    """Counts of one field: true ``values``, and how many of them are right, missing or wrong.

    ``invented`` counts values found where the truth has none.
    """

    values: int = 0
    right: int = 0
    missing: int = 0
    wrong: int = 0
    invented: int = 0

    @property
    def share(self) -> float:
        """The share of true values that are right; 1 if there are none."""
        return self.right / self.values if self.values else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; a wrong value counts against both."""
        read = self.right + self.wrong + self.invented
        return 2 * self.right / (self.values + read) if self.values + read else 1.0

    def add(self, comparison: Comparison) -> None:
        """Add one value."""
        match comparison.grade:
            case Grade.RIGHT:
                self.right += 1
            case Grade.WRONG:
                self.wrong += 1
            case Grade.MISSING:
                self.missing += 1
            case Grade.INVENTED:
                self.invented += 1
        self.values += comparison.grade is not Grade.INVENTED


@dataclass(slots=True)
class SuiteScore:
    """A suite's counts, by field (``table.column`` for cells) and in total, over ``documents``.

    ``failed`` documents could not be read, ``perfect`` ones have nothing wrong, missing or invented.
    ``seconds`` is the total reading time, ``usage`` that of a language model, if one was asked. The ``total``
    is that of the ``values`` outside of tables and of the ``cells``.
    """

    documents: int = 0
    failed: int = 0
    perfect: int = 0
    seconds: float = 0.0
    fields: dict[str, FieldScore] = field(default_factory=dict)
    total: FieldScore = field(default_factory=FieldScore)
    values: FieldScore = field(default_factory=FieldScore)
    cells: FieldScore = field(default_factory=FieldScore)
    usage: ModelUsage | None = None

    @property
    def seconds_each(self) -> float:
        """The mean reading time of a document."""
        return self.seconds / self.documents if self.documents else 0.0

    def add(self, comparisons: Iterable[Comparison]) -> None:
        """Add one document."""
        self.documents += 1
        perfect = True
        for comparison in comparisons:
            self.fields.setdefault(comparison.name, FieldScore()).add(comparison)
            self.total.add(comparison)
            (self.values if comparison.column is None else self.cells).add(comparison)
            perfect = perfect and comparison.grade is Grade.RIGHT
        self.perfect += perfect

    def add_reading(self, seconds: float, usage: ModelUsage | None) -> None:
        """Add how long reading a document took, and what was asked of a language model."""
        self.seconds += seconds
        if usage is not None:
            self.usage = usage.added(self.usage)
