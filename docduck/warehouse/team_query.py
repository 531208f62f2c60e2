"""Queries of teams: each reads its own schemas alone, in a restricted process with limits."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from docduck.errors import Defect, InputError, Transient
from docduck.warehouse.query_order import (
    LakeOrder,
    QueryLimits,
    QueryOrder,
    QueryReply,
    TeamResult,
    UnknownName,
    too_much_memory,
)
from docduck.workers.fork_server import minimal_environment

if TYPE_CHECKING:
    from docduck.outbound.object_store import Bucket

_GRACE_SECONDS = 2.0
_MOST_BYTES = 512 * 2**20
_NOTHING = "No tables are published yet: they appear after the first document was processed"


def run_team_queries(
    path: Path,
    statements: Sequence[str],
    schemas: Sequence[str],
    limits: QueryLimits,
    lake: Bucket | None = None,
) -> tuple[TeamResult, ...]:
    """Run SELECTs on what is published at ``path``, of ``lake`` if given; return the beginning of each.

    They have one process and its limits together. Only tables of ``schemas`` can be read. Raise InputError
    for a query that is refused, fails, or reaches a limit (UnknownName for a table or column that doesn't
    exist), and Transient if the copy can't be opened at the moment.
    """
    if not path.exists():
        raise InputError(_NOTHING)
    with (
        tempfile.TemporaryDirectory(prefix="docduck-query-") as folder,
        nullcontext() if lake is None else _serving(path, lake) as pipes,
    ):
        order = QueryOrder(str(path), folder, tuple(statements), tuple(schemas), limits, pipes)
        reply = _reply(order)
    if reply.error is not None:
        if reply.busy:
            raise Transient(reply.error)
        raise UnknownName(reply.error) if reply.unknown else InputError(reply.error)
    return reply.results


@contextmanager
def _serving(path: Path, lake: Bucket) -> Iterator[LakeOrder]:
    """Serve the files of a catalog to a query."""
    from docduck.warehouse.lake.piped import serving
    from docduck.warehouse.lake.published import file_names

    with serving(lake, file_names(path)) as (requests, replies):
        yield LakeOrder(lake.url, requests, replies)


def _reply(order: QueryOrder) -> QueryReply:
    """Run the program; say which limit it reached if it ended without a reply."""
    too_slow = InputError(f"The query took longer than {order.limits.seconds:g} s. Let it read less")
    with tempfile.TemporaryFile() as output:
        try:
            ended = subprocess.run(
                [sys.executable, "-P", "-m", "docduck.warehouse.query_program"],
                input=json.dumps(asdict(order)).encode(),
                stdout=output,
                stderr=subprocess.DEVNULL,
                cwd=order.folder,
                env=minimal_environment(),
                pass_fds=() if order.lake is None else (order.lake.requests, order.lake.replies),
                timeout=order.limits.seconds + _GRACE_SECONDS,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired as error:
            raise too_slow from error
        if ended == -signal.SIGALRM:
            raise too_slow
        if ended > 0:
            raise Defect(f"The program of a query ended with exit code {ended}")
        if ended < 0:
            raise InputError(too_much_memory(order.limits.memory_mb))
        output.seek(0)
        return msgspec.json.decode(output.read(_MOST_BYTES), type=QueryReply)
