"""Output of commands: text for people, JSON for programs, progress on stderr."""

from __future__ import annotations

import datetime as dt
import decimal
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import BaseModel
from pydantic.alias_generators import to_camel
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from docduck import clock

if TYPE_CHECKING:
    from docduck.service.core.installation import Installation

console = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False)

_SNAKE_CASE = {"field_metadata"}
"""Names that the REST API spells like this."""

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@contextmanager
def installation(*, adopt: bool = False) -> Iterator[Installation]:
    """Yield the installation of the settings, closed at the end of the block.

    With ``adopt``, the catalog becomes that of its home.
    """
    # Commands without a catalog don't load its libraries.
    from sqlalchemy.exc import DBAPIError

    from docduck.api.response.database_errors import transient_error
    from docduck.service.core.installation import open_installation

    inst = open_installation(adopt=adopt)
    try:
        yield inst
    except DBAPIError as error:
        if (reason := transient_error(error)) is None:
            raise
        raise reason from error
    finally:
        inst.close()


def say(text: Any, style: str = "") -> None:
    """Print a line on stdout; names of documents and files are never treated as markup."""
    console.print(Text(shown(text), style))


def print_json(value: Any, indent: int | None = 2) -> None:
    """Print ``value`` on stdout as JSON in UTF-8, spelled as over REST; datetimes are ISO 8601."""
    text = json.dumps(value, indent=indent, ensure_ascii=False, default=_plain)
    # File names that are not UTF-8 hold lone surrogates, which JSON can only write as escapes.
    typer.echo(text.encode(errors="backslashreplace"))


def json_object(value: Any) -> dict[str, Any]:
    """Return the attributes of a dataclass by their names in the REST API."""
    names = (field.name for field in fields(value))
    return {name if name in _SNAKE_CASE else to_camel(name): getattr(value, name) for name in names}


def print_result(value: Any, text: str, json: bool) -> None:
    """Print ``value`` as JSON, or ``text`` for people."""
    if json:
        print_json(value)
    else:
        say(text)


def shown(value: Any) -> str:
    """Return a value as text: empty for None, local time for a datetime, no control characters."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dt.datetime):
        return f"{value.astimezone():%Y-%m-%d %H:%M:%S}"
    if isinstance(value, list | tuple):
        return "; ".join(shown(item) for item in value)
    return "".join(c if c.isprintable() else " " for c in str(value))


def moment(text: str | None) -> dt.datetime | None:
    """Return a date-time of the API, which ``shown`` shows in local time."""
    return None if text is None else dt.datetime.fromisoformat(text)


def percent(share: float | None) -> str:
    """Return a share of 0–1 as ``97%``; empty for None."""
    return "" if share is None else f"{share:.0%}"


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Any]:
    """Show a bar on stderr, if that is a terminal, while the block runs; yield ``advance(done, of)``."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
        # Other output is moved above the bar only if both are on the same terminal.
        redirect_stdout=console.is_terminal,
    )
    with bar:
        task = bar.add_task(what, total=total)

        def advance(done: int, of: int | None = None) -> None:
            bar.update(task, completed=done, total=of if of is not None else total)

        yield advance


def _plain(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return clock.iso(value)
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if is_dataclass(value) and not isinstance(value, type):
        return json_object(value)
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, set | frozenset | tuple):
        return list(value)
    return str(value)
