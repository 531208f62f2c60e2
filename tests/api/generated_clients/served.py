"""The running API that generated clients work with: documents are read while they are waited for."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from docduck.server.app import create_app
from tests.server.served import Api

_PAUSE_SECONDS = 0.1
_PROGRAM_SECONDS = 200


def write_document(api: Api, path: Path) -> None:
    """Write the OpenAPI document to a file."""
    path.write_text(json.dumps(create_app(api.inst).openapi()), "utf-8")


@contextmanager
def reading(api: Api) -> Iterator[None]:
    """Read what is queued while the block runs."""
    ended = threading.Event()

    def read() -> None:
        while not ended.wait(_PAUSE_SECONDS):
            api.process()

    thread = threading.Thread(target=read, name="reading")
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def ran(command: Sequence[str | Path], folder: Path) -> str:
    """What a program prints that must succeed."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=_PROGRAM_SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
