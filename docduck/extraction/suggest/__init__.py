"""Schema suggestion: the fields and tables that sample documents could be read for."""

from __future__ import annotations

from docduck.extraction.suggest.merging import Suggestions, merge_suggestions
from docduck.extraction.suggest.suggester import read_suggestions, suggest_fields

__all__ = ["Suggestions", "merge_suggestions", "read_suggestions", "suggest_fields"]
