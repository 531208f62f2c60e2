"""The trained ranker: which of a target's candidates is right, or that none is."""

from __future__ import annotations

from docduck.extraction.extractors.layout.ranker.features import FEATURES, Facts, group_of
from docduck.extraction.extractors.layout.ranker.ranker import Ranker, load, unsure

__all__ = ["FEATURES", "Facts", "Ranker", "group_of", "load", "unsure"]
