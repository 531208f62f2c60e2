"""Classification: which of the labels that somebody named a document is."""

from __future__ import annotations

from docduck.extraction.triage.classify.classifier import Classification, ClassifyOptions, classify
from docduck.extraction.triage.classify.labels import Label, parse_labels

__all__ = ["Classification", "ClassifyOptions", "Label", "classify", "parse_labels"]
