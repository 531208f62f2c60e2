"""The choice of each field's place, learned: every place that could answer, scored by boosted trees."""

from docduck.extraction.extractors.layout.chooser.chooser import Chooser

__all__ = ["Chooser"]
