"""Classification: which of given labels a document is. Begin with ``classify``."""

from __future__ import annotations

from docduck.extraction.triage.classify.classifier import Classification, ClassifyOptions, classify
from docduck.extraction.triage.classify.labels import Label, parse_labels

__all__ = ["Classification", "ClassifyOptions", "Label", "classify", "parse_labels"]
