"""The trained ranker: which of a target's candidates is right, or that none is."""

from __future__ import annotations

from docduck.extraction.extractors.layout.ranker.features import FEATURES, DocumentFeatures, group_of
from docduck.extraction.extractors.layout.ranker.ranker import Ranker, is_unsure, load

__all__ = ["FEATURES", "DocumentFeatures", "Ranker", "group_of", "is_unsure", "load"]
