"""Classification: which of given labels a document is. Begin with ``classify``."""

from __future__ import annotations

from docduck.extraction.triage.classify.classification import Classification, ClassifyOptions
from docduck.extraction.triage.classify.classifier import classify
from docduck.extraction.triage.classify.labels import Label, parse_labels

__all__ = ["Classification", "ClassifyOptions", "Label", "classify", "parse_labels"]
