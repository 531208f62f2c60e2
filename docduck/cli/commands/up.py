"""``docduck up``."""

from __future__ import annotations

from typing import Annotated

import typer

from docduck.settings import settings


def up(
    samples: Annotated[
        bool, typer.Option("--samples", help="Put sample documents into the inbox of a new home.")
    ] = False,
) -> None:
    """Run docduck: the API, the Dagster UI, its sensors and runs, until Ctrl-C."""
    from docduck.cli.runtime.processes import run_up

    raise typer.Exit(run_up(settings(), samples))
