"""``docduck serve``."""

from __future__ import annotations

import gc
import logging
import sys

import typer

from docduck.cli.runtime.addresses import free_port, local_address, unix_socket
from docduck.cli.runtime.service_process import PROBE
from docduck.cli.runtime.stopping import stopping_on_signals
from docduck.settings import settings

_OBJECTS_PER_COLLECTION = 10_000
_SWITCH_SECONDS = 0.0005
"""After which a thread gives way: with Python's 5 ms, quick requests wait long for those that compute."""


def serve() -> None:
    """Run the API alone, until Ctrl-C; `docduck up` runs it beside everything else."""
    from docduck.api.app import create_app
    from docduck.api.server import server_of
    from docduck.service.core.installation import open_installation
    from docduck.service.runs.run_starter import starting_runs

    logging.getLogger("httpx").setLevel(logging.WARNING)
    given = settings()
    port = free_port(given.bind_host, given.api_port, "the API", "DOCDUCK_API_PORT")
    given = given.model_copy(update={"api_port": port})
    inst = open_installation(given)
    logging.getLogger(__name__).info(
        "The API is at %s/api/v1, its documentation at /docs", local_address(given.bind_host, port)
    )
    try:
        with stopping_on_signals(), starting_runs(inst):
            app = create_app(inst)
            # What is there now stays for good; the collector need not look at it again.
            gc.freeze()
            gc.set_threshold(_OBJECTS_PER_COLLECTION)
            sys.setswitchinterval(_SWITCH_SECONDS)
            server_of(app, given, unix_socket(given.home, PROBE)).run()
    except KeyboardInterrupt:
        typer.echo("Stopped")
    finally:
        inst.close()
