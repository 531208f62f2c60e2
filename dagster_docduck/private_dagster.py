"""Everything that docduck uses of Dagster beyond its public API, and why: a new version may move it.

Three names are not public, either: ``docduck.service.runs.processing_runs.SELECTED_ASSETS`` and
``FAILURE_REASON_TAG``, and the prefix of
``dagster_docduck.resources.installation.PROCESS_TAG``.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from dagster import AssetExecutionContext, AssetKey, DagsterInstance, OpExecutionContext

# The type that the public ``define_asset_job`` returns.
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

# The address of the code server that evaluates a tick, and its client: nothing public reloads a code server.
from dagster._core.remote_origin import CodeLocationOrigin, GrpcServerCodeLocationOrigin

# ``DagsterInstance.delete_run`` leaves the run's output behind; a method of this class deletes it.
from dagster._core.storage.compute_log_manager import ComputeLogManager

# GRPC_INFO_TAG: the code server that started a run, to find runs that ended together with it.
from dagster._core.storage.tags import GRPC_INFO_TAG
from starlette.types import ASGIApp

from docduck.service.runs.processing_runs import SERVER_FOLDER

UNLISTED_JOB = "__anonymous_asset_job"
"""How names of jobs begin that Dagster's UI does not list; a sensor is listed on the assets of its jobs."""

__all__ = [
    "GRPC_INFO_TAG",
    "UNLISTED_JOB",
    "CodeLocationOrigin",
    "ComputeLogManager",
    "GrpcServerCodeLocationOrigin",
    "UnresolvedAssetJobDefinition",
    "poll_rarely",
    "report_planned",
    "use_server_folder",
    "webserver_application",
]

POLL_SECONDS = 10


def poll_rarely() -> None:
    """Have this process look for its code server every ``POLL_SECONDS``.

    The intervals of a second cost an idle installation more than all its sensors; no setting reaches them.
    """
    # Imported here: runs don't need it, and their start is waited for.
    import dagster._grpc.client
    import dagster._grpc.server_watcher

    dagster._grpc.client.CLIENT_HEARTBEAT_INTERVAL = POLL_SECONDS
    dagster._grpc.server_watcher.WATCH_INTERVAL = POLL_SECONDS


def use_server_folder() -> None:
    """Have this process keep the sockets of servers that it starts in the folder that ``docduck up`` empties.

    A server that is killed leaves its socket, in the folder of all temporary files unless told otherwise.
    """
    if folder := os.environ.get(SERVER_FOLDER):
        tempfile.tempdir = folder


def report_planned(
    context: AssetExecutionContext | OpExecutionContext, key: AssetKey, partition: str | None = None
) -> None:
    """Have Dagster show the asset as materialising until the run materialises it, or ends.

    The public API plans assets only before a run starts, when it is not known yet which ones it will write.
    """
    from dagster._core.events import AssetMaterializationPlannedData, DagsterEvent

    run = context.run
    op = context.op_execution_context if isinstance(context, AssetExecutionContext) else context
    planned = AssetMaterializationPlannedData(key, partition)
    event = DagsterEvent.build_asset_materialization_planned_event(run.job_name, str(op.op_handle), planned)
    context.instance.report_dagster_event(event, run.run_id)


@contextmanager
def webserver_application(
    instance: DagsterInstance, workspaces: Sequence[Path], path_prefix: str = ""
) -> Iterator[ASGIApp]:
    """Yield the application that ``dagster-webserver`` serves; that command can't wrap it in another one.

    All its paths begin with ``path_prefix``; ``workspaces`` are the files that list the code locations.
    """
    # Imported here: it takes seconds, and only the webserver needs it.
    from dagster._core.workspace.context import WorkspaceProcessContext
    from dagster._core.workspace.load_target import WorkspaceFileTarget
    from dagster_webserver.app import create_app_from_workspace_process_context
    from dagster_webserver.version import __version__

    target = WorkspaceFileTarget([str(path) for path in workspaces])
    with WorkspaceProcessContext(instance, version=__version__, workspace_load_target=target) as context:
        yield create_app_from_workspace_process_context(context, path_prefix)
