"""The server: one process, one event loop, everything that comes in within limits."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from socket import socket
from typing import Any

import uvicorn

from docduck.api.middleware.connection import connection_class
from docduck.settings import Settings

_LEFT_FOR_CLOSING = 2


class ProbedServer(uvicorn.Server):
    """A server that also says on the Unix socket ``probe`` that it is at work, to whoever connects there."""

    def __init__(self, config: uvicorn.Config, probe: Path | None) -> None:
        super().__init__(config)
        self._probe = probe
        self._probed: asyncio.Server | None = None

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Listen, on the probe as well."""
        await super().startup(sockets)
        if self._probe is not None:
            self._probe.parent.mkdir(exist_ok=True)
            self._probe.unlink(missing_ok=True)
            self._probed = await asyncio.start_unix_server(_say_so, self._probe)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """End, with the probe last: requests that are being finished are work."""
        await super().shutdown(sockets)
        if self._probed is not None:
            self._probed.close()


async def _say_so(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        writer.write(b"1")
        await writer.drain()
    writer.close()


def server_of(app: Any, settings: Settings, probe: Path | None = None) -> uvicorn.Server:
    """A server for the application; ``run()`` serves until SIGINT or SIGTERM, and lets requests finish.

    Requests that are still under way when ``stop_grace_seconds`` end are cancelled.
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
        timeout_keep_alive=settings.api_keep_alive_seconds,
        timeout_graceful_shutdown=max(1, int(settings.stop_grace_seconds) - _LEFT_FOR_CLOSING),
    )
    return ProbedServer(config, probe)
