"""A sample document, drawn or still to draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Kind = Literal["digital", "scan", "photo", "text"]


@dataclass(frozen=True)
class Draft:
    """A sample before it is drawn; ``render`` gives the bytes of the file called ``file``.

    ``shipped`` ones are also in docduck/samples.
    """

    id: str
    template: str
    file: str
    language: str
    notes: str
    render: Callable[[], bytes]
    truth: dict[str, Any]
    kind: Kind = "digital"
    shipped: bool = False


@dataclass(frozen=True)
class Sample:
    """A generated document and what a reader finds in it: ``truth`` by the template's field names.

    Scalars are JSON values (dates ISO, numbers as float), None where the document shows none; a table
    is a list of rows by column name.
    """

    id: str
    template: str
    path: Path
    truth: dict[str, Any]
    language: str
    notes: str
    kind: Kind
