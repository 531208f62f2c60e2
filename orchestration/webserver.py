"""The Dagster UI behind its guard: ``python -m dagster_docduck.orchestration.webserver WORKSPACE_FILE…``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import uvicorn
from dagster import DagsterInstance
from starlette.types import ASGIApp

from dagster_docduck.orchestration.ui_guard import UiGuard
from dagster_docduck.orchestration.ui_prefix import PREFIX, BelowPrefix
from dagster_docduck.private_dagster import poll_rarely, use_server_folder, webserver_application
from docduck.server.idle_server import IdleServer
from docduck.settings import Settings, read_settings

_STATEMENT_TIMEOUT_MS = 15_000
_POOL_RECYCLE_SECONDS = 3600
_POOL_MAX_OVERFLOW = 20


def serve(settings: Settings, workspaces: Sequence[Path]) -> None:
    """Serve the UI of the code locations in these workspace files until a signal ends it."""
    poll_rarely()
    use_server_folder()
    with DagsterInstance.get() as instance:
        instance.optimize_for_webserver(_STATEMENT_TIMEOUT_MS, _POOL_RECYCLE_SECONDS, _POOL_MAX_OVERFLOW)
        with webserver_application(instance, workspaces, PREFIX) as app:
            config = uvicorn.Config(
                guarded(app, settings), host=settings.ui_host, port=settings.ui_port, log_level="warning"
            )
            server = IdleServer(config)
            with suppress(KeyboardInterrupt):
                server.run()
            if not server.started:
                sys.exit(1)


def guarded(app: ASGIApp, settings: Settings) -> UiGuard:
    """Return ``app`` behind a guard that allows the UI's own host, loopback and trusted hosts."""
    own_host = f"[{settings.ui_host}]" if ":" in settings.ui_host else settings.ui_host
    return UiGuard(BelowPrefix(app), {own_host, *(settings.trusted_hosts or ())})


if __name__ == "__main__":
    serve(read_settings(), [Path(name) for name in sys.argv[1:]])
