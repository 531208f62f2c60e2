"""The HTTP server: one process, one event loop, with limits on connections and requests."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from socket import socket
from typing import Any

import uvicorn

from docduck.server.idle_server import IdleServer
from docduck.server.middleware.connection import connection_class
from docduck.settings import STOP_GRACE_SECONDS, Settings

KEEP_ALIVE_SECONDS = 30
"""How long a connection is kept open for its next request."""

_LEFT_FOR_CLOSING = 2


class ProbedServer(IdleServer):
    """A server that also accepts connections on the Unix socket ``probe``, to show that it is running."""

    def __init__(self, config: uvicorn.Config, probe: Path | None) -> None:
        super().__init__(config)
        self._probe = probe
        self._probe_server: asyncio.Server | None = None

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Listen, on the probe as well."""
        await super().startup(sockets)
        if self._probe is not None:
            self._probe.parent.mkdir(exist_ok=True)
            self._probe.unlink(missing_ok=True)
            self._probe_server = await asyncio.start_unix_server(_confirm, self._probe)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Shut down, the probe last: it is running until the last request has ended."""
        await super().shutdown(sockets)
        if self._probe_server is not None:
            self._probe_server.close()


async def _confirm(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        writer.write(b"1")
        await writer.drain()
    writer.close()


def create_server(app: Any, settings: Settings, probe: Path | None = None) -> uvicorn.Server:
    """Return a server for the application; ``run()`` serves until SIGINT or SIGTERM, and finishes requests.

    Requests that are still running after ``STOP_GRACE_SECONDS`` are cancelled.
    """
    proxies = [str(network) for network in settings.api_trusted_proxies or ()]
    config = uvicorn.Config(
        app,
        host=settings.bind_host,
        port=settings.api_port,
        loop="uvloop",
        http=connection_class(settings),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOP_GRACE_SECONDS - _LEFT_FOR_CLOSING,
    )
    return ProbedServer(config, probe)
