"""Why a value was chosen: the likeliest places of each field, and what spoke for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docduck.documents.document import Document
from docduck.extraction.extractors.layout.chooser.chooser import Chooser, Reason
from docduck.extraction.extractors.model.model_context import ModelContext
from docduck.extraction.options import ExtractOptions
from docduck.extraction.run_extractors import run_extractors
from docduck.fields import Field

_PLACES, _REASONS = 3, 4
"""Places that are told of each field, and features of each."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A value that could answer a field, with its probability and what adds most to it, or takes most.

    ``page`` counts from 1, and is None for a value without a place.
    """

    value: Any
    probability: float
    page: int | None
    reasons: list[Reason]


def explain_document(
    fields: Sequence[Field], document: Document, _: ModelContext | None = None
) -> dict[str, list[Explained]]:
    """Return the likeliest values of each field whose place is chosen, the best first."""
    findings = run_extractors(fields, document, ExtractOptions())
    if not isinstance(findings.chooser, Chooser):
        return {}
    return {
        name: [Explained(offer.value, chance, offer.position[0] or None, why) for offer, chance, why in some]
        for name, some in findings.chooser.explain(findings, _PLACES, _REASONS).items()
    }
