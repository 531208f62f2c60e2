"""Counts of what was right, by field and by suite."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from docduck.evaluation.comparison import Comparison, Grade


@dataclass(slots=True)
class FieldScore:
    """Counts of one field: true ``values``, and how many of them were right, missing or wrong.

    ``invented`` are values that were given where the truth has none.
    """

    values: int = 0
    right: int = 0
    missing: int = 0
    wrong: int = 0
    invented: int = 0

    @property
    def share(self) -> float:
        """The share of the true values that is right; 1 when there is none."""
        return self.right / self.values if self.values else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; a wrong value counts against both."""
        given = self.right + self.wrong + self.invented
        return 2 * self.right / (self.values + given) if self.values + given else 1.0

    def add(self, one: Comparison) -> None:
        """Count one value in."""
        match one.outcome:
            case Grade.RIGHT:
                self.right += 1
            case Grade.WRONG:
                self.wrong += 1
            case Grade.MISSING:
                self.missing += 1
            case Grade.INVENTED:
                self.invented += 1
        self.values += one.outcome is not Grade.INVENTED


@dataclass(slots=True)
class SuiteScore:
    """A suite's counts, by field (``table.column`` for cells) and in all, over ``documents``.

    ``failed`` documents could not be read, ``perfect`` ones have nothing wrong, missing or invented;
    ``seconds`` is the time that reading took.
    """

    documents: int = 0
    failed: int = 0
    perfect: int = 0
    seconds: float = 0.0
    fields: dict[str, FieldScore] = field(default_factory=dict)
    total: FieldScore = field(default_factory=FieldScore)

    def add(self, judged: Iterable[Comparison]) -> None:
        """Count one document in."""
        self.documents += 1
        perfect = True
        for one in judged:
            self.fields.setdefault(one.name, FieldScore()).add(one)
            self.total.add(one)
            perfect = perfect and one.outcome is Grade.RIGHT
        self.perfect += perfect
