"""Classification: which of the labels that somebody named a document is."""

from __future__ import annotations

from docduck.extraction.classify.classifier import Classification, ClassifyOptions, classify
from docduck.extraction.classify.labels import Label, parse_labels

__all__ = ["Classification", "ClassifyOptions", "Label", "classify", "parse_labels"]
