"""Semaphores of processes that were killed, with what would have removed them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /dev/shm")

HOLDING = """
import multiprocessing
from docduck.semaphores import name_semaphores

name_semaphores()
spawn = multiprocessing.get_context("spawn")
kept = spawn.Queue(), spawn.Event()
print(multiprocessing.current_process()._config["semprefix"].removeprefix("/"), flush=True)
input()
"""
NAMING = "from docduck.semaphores import name_semaphores; name_semaphores()"


@contextmanager
def holder() -> Iterator[tuple[psutil.Process, str]]:
    """Yield a process with semaphores, and what their names begin with."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        yield psutil.Process(child.pid), child.stdout.readline().strip()
        child.kill()


def semaphores(prefix: str) -> list[Path]:
    return [path for path in Path("/dev/shm").iterdir() if path.name.startswith(f"sem.{prefix}-")]


def test_those_of_killed_processes_are_removed_by_the_next_one() -> None:
    with holder() as (_, kept), holder() as (process, left):
        assert semaphores(kept)
        assert semaphores(left)
        for one in (process, *process.children()):
            one.kill()
        process.wait()
        assert semaphores(left), "nobody was there to remove them"
        subprocess.run([sys.executable, "-c", NAMING], check=True)
        assert not semaphores(left)
        assert semaphores(kept), "their process lives"
