"""The option for filters, such as ``--filter 'Total >= 100'``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from docduck.errors import InputError
from docduck.service.conditions.filters import typed_filter

FilterOption = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        metavar="'FIELD OPERATOR VALUE'",
        help="Only documents like 'Total >= 100', 'Name contains acme' or 'Number exists'. Repeatable.",
    ),
]


def read_filters(texts: Sequence[str] | None) -> list[dict[str, Any]] | None:
    """Return the filters in the API's shape; raise InputError."""
    try:
        return [typed_filter(text) for text in texts] if texts else None
    except InputError as error:
        raise InputError(f"--filter {error.message}") from error
