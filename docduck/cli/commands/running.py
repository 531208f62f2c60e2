"""``docduck up``, ``docduck serve`` and ``docduck work``."""

from __future__ import annotations

import gc
import logging
import signal
import sys
import threading
from types import FrameType
from typing import Annotated

import typer

from docduck.cli.runtime.addresses import free_port, local_address, unix_socket
from docduck.cli.runtime.service_process import PROBE
from docduck.cli.runtime.stopping import stopping_on_signals
from docduck.settings import settings

_log = logging.getLogger(__name__)

GRACE_SECONDS = 25
"""After a signal, until documents in work are given back: Kubernetes kills after 30 seconds."""
_OBJECTS_PER_COLLECTION = 50_000
_SWITCH_SECONDS = 0.0005
"""Python's thread switch interval: with the default of 5 ms, short requests wait for long computations."""


def up(
    samples: Annotated[
        bool, typer.Option("--samples", help="Put sample documents into the inbox of a new home.")
    ] = False,
) -> None:
    """Run docduck: the API, the Dagster UI, its sensors and runs, until Ctrl-C."""
    from docduck.cli.runtime.processes import run_up

    raise typer.Exit(run_up(settings(), samples))


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
    _log.info("The API is at %s/api/v1, its documentation at /docs", local_address(current.bind_host, port))
    try:
        with (
            stopping_on_signals(),
            starting_runs(inst),
            delivering(inst),
            mail_receiver(inst) as receivers,
        ):
            for address in receivers:
                _log.info("Mails are received at %s", address)
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


def work() -> None:
    """Read documents on this machine, too, for a docduck that runs on another; until Ctrl-C.

    Both share the catalog (DOCDUCK_CATALOG_URL) and the files (DOCDUCK_FILES_URL).
    """
    from docduck.service.core.home_identity import place_of
    from docduck.service.core.installation import open_installation
    from docduck.service.processing.reading_host import read_until
    from docduck.workers import sandbox

    stopping = threading.Event()

    def stop(number: int, _frame: FrameType | None) -> None:
        if stopping.is_set():
            raise KeyboardInterrupt
        stopping.set()
        signal.alarm(GRACE_SECONDS)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, stop)
    current = settings()
    inst = open_installation(current, only_reads=True)
    _log.info("Reading with %d workers, in the home %s", current.workers, place_of(current))
    if not sandbox.probe():
        _log.warning("The workers are not restricted: this kernel has neither Landlock nor seccomp")
    try:
        read_until(inst, stopping.wait)
    except KeyboardInterrupt:
        typer.echo("Stopped; documents in work are queued again")
    finally:
        inst.close()
