"""Reloading the definitions from within: the code server is told to start afresh.

The tick knows the address of the code server that it came through. ``dagster code-server start`` is a
proxy: told to reload, it starts a new process with new definitions, sends what comes next there, and lets
the old one finish. Webserver and daemon see within a second or two that the server is another, and
take its definitions over, so nobody needs to be told.
"""

from __future__ import annotations

import logging
import threading

from dagster._core.remote_origin import CodeLocationOrigin, GrpcServerCodeLocationOrigin

RELOAD_TIMEOUT_SECONDS = 180
_BEGIN_SECONDS = 0.2

_log = logging.getLogger(__name__)
_under_way = threading.Lock()


def reload_definitions(origin: CodeLocationOrigin | None) -> str:
    """Ask for a reload and say so. It begins only after the tick that asks has given its answer."""
    if not isinstance(origin, GrpcServerCodeLocationOrigin):
        return (
            "Parsers or the pipeline file have changed. Press 'Reload' on the Deployment page:"
            " only a code server (`dagster code-server start`, as in `docduck up`) can be reloaded from here."
        )
    if _under_way.acquire(blocking=False):
        threading.Timer(_BEGIN_SECONDS, _reload, [origin]).start()
    return "Parsers or the pipeline file have changed: the definitions are being reloaded."


def _reload(origin: GrpcServerCodeLocationOrigin) -> None:
    try:
        origin.create_client().reload_code(timeout=RELOAD_TIMEOUT_SECONDS)
    except Exception:
        _log.exception("The definitions could not be reloaded; trying again")
    finally:
        _under_way.release()
