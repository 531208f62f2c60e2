"""A candidate with its score for a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch
from docduck.extraction.page.page_view import Token


@dataclass(slots=True)
class ScoredCandidate:
    """A candidate with its score for a target, and the label that announces it, if any."""

    candidate: Candidate
    score: float
    label: LabelMatch | None = None

    @property
    def value(self) -> Any:
        return self.candidate.value

    @property
    def tokens(self) -> Sequence[Token]:
        return self.candidate.tokens
