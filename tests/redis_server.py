"""A Redis server of the tests' own, on a socket in a temporary folder."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class RedisServer:
    """A server that can be stopped and started again; it keeps nothing."""

    def __init__(self, program: str, folder: Path) -> None:
        self._command = [
            program,
            "--port",
            "0",
            "--unixsocket",
            str(folder / "socket"),
            "--save",
            "",
            "--dir",
        ]
        self._command.append(str(folder))
        self._process: subprocess.Popen[str] | None = None
        self.address = f"unix://{folder / 'socket'}?db=0"

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if "ready to accept connections" in line.lower():
                return
        raise AssertionError("redis-server ended before it was ready")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.communicate(timeout=20)
            self._process = None


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    """The running server; skips the test where none is installed."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("no Redis server is installed (make system-deps)")
    pytest.importorskip("redis", reason="docduck[redis] is not installed")
    folder = Path(tempfile.mkdtemp(prefix="dd-redis-"))
    server = RedisServer(program, folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
