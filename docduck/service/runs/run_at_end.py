"""Starting a run for the documents that a command has queued."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from docduck.catalog.notifications import QUEUED, listen
from docduck.errors import Transient
from docduck.service.core.installation import Installation

_log = logging.getLogger(__name__)


@contextmanager
def run_at_end(inst: Installation) -> Iterator[None]:
    """At the end of the block, start a run for documents that it queued.

    If ``docduck up`` is not running or doesn't answer, a sensor does so later.
    """
    queued: set[str] = set()
    forget = listen(inst.catalog.engine, QUEUED, queued.update)
    try:
        yield
    finally:
        forget()
    url = inst.settings.dagster_url or _ui_address(inst)
    if url is not None and queued:
        _start(inst, url, frozenset(queued))


def _start(inst: Installation, url: str, queued: frozenset[str]) -> None:
    # Most commands queue nothing, and these modules take long to load.
    from docduck.service.runs import dagster_api
    from docduck.service.runs.run_starter import RunStarter

    with dagster_api.endpoint(url) as dagster:
        starter = RunStarter(inst, dagster)
        starter.wake(queued)
        try:
            starter.start_now()
        except Transient as error:
            _log.debug("no run was started, so a sensor will do it: %s", error.message)


def _ui_address(inst: Installation) -> str | None:
    """Return the address of the Dagster UI that ``docduck up`` has written to the home."""
    try:
        return (inst.settings.home / "run" / "ui").read_text().strip() or None
    except OSError:
        return None
