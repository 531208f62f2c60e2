"""The Dagster UI behind its guard: ``python -m orchestration.webserver``.

Dagster's own command has no place for an application around its own, so this module makes the same
application from the same parts. They are not public: ``create_app_from_workspace_process_context`` and
``WorkspaceProcessContext`` are what that command itself calls.
"""

from __future__ import annotations

import sys
from pathlib import Path

import uvicorn
from dagster import DagsterInstance
from dagster._core.workspace.context import WorkspaceProcessContext
from dagster._core.workspace.load_target import WorkspaceFileTarget
from dagster_webserver.app import create_app_from_workspace_process_context
from dagster_webserver.version import __version__

from docduck.settings import Settings, read_settings
from orchestration.ui_guard import UiGuard

_STATEMENT_TIMEOUT_MS = 15_000
_POOL_RECYCLE_SECONDS = 3600
_POOL_MAX_OVERFLOW = 20


def serve(settings: Settings, workspace: Path) -> None:
    """Serve the UI of the code locations that the file ``workspace`` names, until told to stop."""
    with DagsterInstance.get() as instance:
        instance.optimize_for_webserver(_STATEMENT_TIMEOUT_MS, _POOL_RECYCLE_SECONDS, _POOL_MAX_OVERFLOW)
        with WorkspaceProcessContext(
            instance, version=__version__, workspace_load_target=WorkspaceFileTarget([str(workspace)])
        ) as context:
            uvicorn.run(
                guarded(context, settings), host=settings.ui_host, port=settings.ui_port, log_level="warning"
            )


def guarded(context: WorkspaceProcessContext, settings: Settings) -> UiGuard:
    """Return the UI's application, which answers for the UI's own host, loopback and trusted hosts alone."""
    own = f"[{settings.ui_host}]" if ":" in settings.ui_host else settings.ui_host
    app = create_app_from_workspace_process_context(context)
    return UiGuard(app, {own, *(settings.trusted_hosts or ())})


if __name__ == "__main__":
    serve(read_settings(), Path(sys.argv[1]))
