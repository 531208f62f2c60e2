"""The result of a classification, and its options."""

from __future__ import annotations

from dataclasses import dataclass, field

from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.model_usage import ModelUsage


@dataclass(frozen=True, slots=True)
class ClassifyOptions:
    """``instructions`` are about all labels; ``model`` is asked as well, if set."""

    instructions: str = ""
    model: ModelOptions | None = None
    model_context: ModelContext = field(default_factory=ModelContext)


@dataclass(frozen=True, slots=True)
class Classification:
    """The label's name, None when none fits; the probability, 0–1, that this is right; a sentence on why.

    ``scores`` are the probabilities of all labels; what they lack to 1 is that none fits.
    """

    label: str | None
    confidence: float
    reason: str
    scores: dict[str, float]
    usage: ModelUsage | None = None
    warnings: tuple[str, ...] = ()
