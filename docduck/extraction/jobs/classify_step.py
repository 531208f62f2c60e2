"""Classifying a document: for its parser's gate, to route it to a parser, or to choose a folder for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from docduck.documents.document import Document
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.triage.classify.labels import Classification, Label

if TYPE_CHECKING:
    from docduck.extraction.extractors.model.model_context import ModelContext

CLASSIFIED_PAGES = "1-3,last"
"""The pages by which a document is classified (see ``classified_text``)."""

Decision = Literal["process", "skip"]


@dataclass(frozen=True, slots=True)
class ClassifyStep:
    """The labels to choose from, instructions about all of them, and a language model, if one is to help.

    ``no_model`` is why there is none although one is to help.
    """

    labels: Sequence[Label]
    instructions: str = ""
    model: ModelOptions | None = None
    no_model: str = ""


@dataclass(frozen=True, slots=True)
class Gate:
    """Which labels are processed: with mode ``allow`` only those listed, with ``block`` all others."""

    mode: Literal["allow", "block"]
    step: ClassifyStep


@dataclass(frozen=True, slots=True)
class GateDecision:
    """What a gate decided about a document, and by which classification."""

    decision: Decision
    classification: Classification


def classify_document(step: ClassifyStep, document: Document, model: ModelContext) -> Classification:
    """Return which of the labels the document is."""
    from docduck.extraction.triage.classify.classifier import classify

    return classify(document, step.labels, step.instructions, step.model, model, step.no_model)


def decide(gate: Gate, document: Document, model: ModelContext) -> GateDecision:
    """Return whether a document is to be processed; it is if a language model should help and can't."""
    classification = classify_document(gate.step, document, model)
    if classification.warnings:
        return GateDecision("process", classification)
    listed = classification.label is not None
    return GateDecision("process" if listed == (gate.mode == "allow") else "skip", classification)
