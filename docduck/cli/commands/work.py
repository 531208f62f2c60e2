"""``docduck work``."""

from __future__ import annotations

import logging
import signal
import threading
from types import FrameType

import typer

from docduck.settings import settings

_log = logging.getLogger(__name__)

GRACE_SECONDS = 25
"""After a signal, until documents in work are given back: Kubernetes kills after 30 seconds."""


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
