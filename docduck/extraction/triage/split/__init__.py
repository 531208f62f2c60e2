"""Splitting a file of several documents into its documents. Begin with ``split``."""

from __future__ import annotations

from docduck.extraction.triage.split.parts import Part, Split, SplitOptions
from docduck.extraction.triage.split.splitter import split

__all__ = ["Part", "Split", "SplitOptions", "split"]
