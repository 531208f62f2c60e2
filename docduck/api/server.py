"""The server: one process, one event loop, everything that comes in within limits."""

from __future__ import annotations

from typing import Any

import uvicorn

from docduck.api.connection import connection_class
from docduck.settings import Settings

_LEFT_FOR_CLOSING = 2


def server_of(app: Any, settings: Settings) -> uvicorn.Server:
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
    return uvicorn.Server(config)
