"""Schema suggestion: the fields and tables that a sample document could be read for.

Begin with ``suggester``.
"""

from __future__ import annotations

from docduck.extraction.suggest.suggester import read_suggestions, suggest_fields

__all__ = ["read_suggestions", "suggest_fields"]
