"""Reading on a machine that shares the catalog and the files of docduck on another, without Dagster."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from sqlalchemy.exc import DBAPIError

from docduck.errors import Conflict, Defect, InputError, Transient
from docduck.owner import HEARTBEAT_SECONDS
from docduck.service.core.home_identity import check_version, place_of
from docduck.service.core.installation import Installation
from docduck.service.processing.document_queue import targets_with_work
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.processing.reading_homes import note
from docduck.service.processing.run_lock import exclusive_run

_log = logging.getLogger(__name__)

_LOOK_SECONDS = 1.0
_RETRY_SECONDS, _LONGEST_RETRY_SECONDS = 10.0, 300.0


def read_until(inst: Installation, stopped: Callable[[float], bool]) -> None:
    """Read queued documents of all parsers and teams, whenever there are some, until ``stopped``.

    ``stopped`` waits up to so many seconds for the end, and returns whether it has come; what is in work then
    is finished. Raise Conflict if another process reads with this home, InputError once the catalog belongs
    to another version of docduck; other errors don't end it.
    """
    with exclusive_run(inst) as alone:
        if not alone:
            raise Conflict(f"Another process reads with the home {place_of(inst.settings)} already")
        seconds = next_note = 0.0
        retry_seconds = _RETRY_SECONDS
        while not stopped(seconds):
            try:
                check_version(inst.catalog)
                if time.monotonic() >= next_note:
                    next_note = time.monotonic() + HEARTBEAT_SECONDS
                    note(inst, None)
                seconds = _LOOK_SECONDS
                if targets_with_work(inst) or targets_with_work(inst, slow=True):
                    _read(inst, stopped)
                retry_seconds = _RETRY_SECONDS
            except InputError:
                raise
            except (Transient, DBAPIError) as error:
                seconds = _RETRY_SECONDS
                _log.warning("reading goes on in %.0f s: %s", seconds, _reason(error))
            except Exception:
                seconds, retry_seconds = retry_seconds, min(2 * retry_seconds, _LONGEST_RETRY_SECONDS)
                _log.exception("reading goes on in %.0f s after a defect of docduck", seconds)


def _read(inst: Installation, stopped: Callable[[float], bool]) -> None:
    try:
        reports = process_queue(inst, RunOptions(stop=lambda: stopped(0.0)))
    except InputError as error:
        raise Defect(f"Reading failed: {error}") from error
    for report in reports:
        _log.info(
            "%s: %d documents read, %d of them failed, %.1f pages/s",
            report.slug,
            report.documents,
            report.failed,
            report.pages_per_second,
        )


def _reason(error: Exception) -> str:
    if isinstance(error, DBAPIError):
        return f"the catalog can't be used ({str(error.orig).strip().splitlines()[0]})"
    return str(error)
