"""Splitting: where a file of several documents divides."""

from __future__ import annotations

from docduck.extraction.split.parts import Part, Split, SplitOptions
from docduck.extraction.split.splitter import split

__all__ = ["Part", "Split", "SplitOptions", "split"]
