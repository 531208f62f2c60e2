"""What a lesson calls a field."""

from __future__ import annotations

from docduck.fields import Field


def field_identity(field: Field) -> str:
    """Return a field's id, which a new name doesn't change, or its name if it has none."""
    return field.id or field.name
