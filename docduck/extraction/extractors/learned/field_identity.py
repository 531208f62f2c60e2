"""How learned layouts identify a field."""

from __future__ import annotations

from docduck.fields import Field


def field_identity(field: Field) -> str:
    """Return a field's id, which is stable when the field is renamed, or its name if it has none."""
    return field.id or field.name
