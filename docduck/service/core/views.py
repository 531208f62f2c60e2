"""Views: dataclasses that are made from rows."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")


def view_of(kind: type[T], source: object, **more: Any) -> T:
    """Return a dataclass with the attributes of a row; ``more`` has what it lacks or hides."""
    names = (one.name for one in fields(kind) if one.name not in more)  # type: ignore[arg-type]
    return kind(**{name: getattr(source, name) for name in names}, **more)
