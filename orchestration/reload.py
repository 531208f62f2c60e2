"""Reloading the definitions from within the code server.

``dagster code-server start`` is a proxy. On a reload, it starts a new process with new definitions, sends
later requests there, and lets the old process finish. Webserver and daemon notice the new server within
a few seconds.
"""

from __future__ import annotations

import logging
import threading

from dagster_docduck.private_dagster import CodeLocationOrigin, GrpcServerCodeLocationOrigin

RELOAD_TIMEOUT_SECONDS = 180
_DELAY_SECONDS = 0.2

_log = logging.getLogger(__name__)
_in_progress = threading.Lock()


def reload_definitions(origin: CodeLocationOrigin | None) -> str:
    """Start a reload and return a message about it. It begins after the current tick has ended."""
    if not isinstance(origin, GrpcServerCodeLocationOrigin):
        return (
            "Parsers or the pipeline file have changed. Press 'Reload' on the Deployment page:"
            " only a code server (`dagster code-server start`, as in `docduck up`) can be reloaded from here."
        )
    if _in_progress.acquire(blocking=False):
        threading.Timer(_DELAY_SECONDS, _reload, [origin]).start()
    return "Parsers or the pipeline file have changed: the definitions are being reloaded."


def _reload(origin: GrpcServerCodeLocationOrigin) -> None:
    try:
        origin.create_client().reload_code(timeout=RELOAD_TIMEOUT_SECONDS)
    except Exception:
        _log.exception("The definitions could not be reloaded; trying again")
    finally:
        _in_progress.release()
