"""Starting a run for the documents that a command has queued or changed."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from docduck.catalog.notifications import RUN_NEEDED, listen
from docduck.errors import Transient
from docduck.service.core.installation import Installation

_log = logging.getLogger(__name__)


@contextmanager
def run_at_end(inst: Installation) -> Iterator[None]:
    """At the end of the block, start a run for documents that it queued, or whose rows are out of date.

    If ``docduck up`` is not running or doesn't answer, a sensor does so later.
    """
    parser_ids: set[str] = set()
    forget = listen(inst.catalog.engine, RUN_NEEDED, parser_ids.update)
    try:
        yield
    finally:
        forget()
    url = inst.settings.dagster_url or _ui_address(inst)
    if url is not None and parser_ids:
        _start(inst, url, frozenset(parser_ids))


def _start(inst: Installation, url: str, parser_ids: frozenset[str]) -> None:
    # Most commands change nothing, and these modules take long to load.
    from docduck.service.runs import dagster_api
    from docduck.service.runs.run_starter import RunStarter

    with dagster_api.endpoint(url) as dagster:
        starter = RunStarter(inst, dagster)
        starter.wake(parser_ids)
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
