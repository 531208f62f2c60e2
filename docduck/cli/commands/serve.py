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

_OBJECTS_PER_COLLECTION = 50_000
_SWITCH_SECONDS = 0.0005
"""Python's thread switch interval: with the default of 5 ms, short requests wait for long computations."""


def serve() -> None:
    """Run only the API, until Ctrl-C; `docduck up` runs it together with everything else."""
    from docduck.server.app import create_app
    from docduck.server.http_server import create_server
    from docduck.service.core.installation import open_installation
    from docduck.service.runs.run_starter import starting_runs
    from docduck.service.webhooks.delivery import delivering
    from docduck.smtp.receiver import mail_receiver

    logging.getLogger("httpx").setLevel(logging.WARNING)
    current = settings()
    port = free_port(current.bind_host, current.api_port, "the API", "DOCDUCK_API_PORT")
    current = current.model_copy(update={"api_port": port})
    inst = open_installation(current)
    logging.getLogger(__name__).info(
        "The API is at %s/api/v1, its documentation at /docs", local_address(current.bind_host, port)
    )
    try:
        with (
            stopping_on_signals(),
            starting_runs(inst),
            delivering(inst),
            mail_receiver(inst) as receivers,
        ):
            for address in receivers:
                logging.getLogger(__name__).info("Mails are received at %s", address)
            app = create_app(inst)
            # The objects that exist now are permanent; the collector can skip them.
            gc.freeze()
            gc.set_threshold(_OBJECTS_PER_COLLECTION)
            sys.setswitchinterval(_SWITCH_SECONDS)
            create_server(app, current, unix_socket(current.home, PROBE)).run()
    except KeyboardInterrupt:
        typer.echo("Stopped")
    finally:
        inst.close()
