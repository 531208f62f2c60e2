"""Memory that was freed is returned to the system."""

from __future__ import annotations

import asyncio
import platform

import psutil
import pytest

from docduck.server import memory

MIB = 1 << 20


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries return memory themselves")
def test_freed_memory_is_returned_though_some_above_it_is_in_use() -> None:
    process = psutil.Process()
    # Blocks below glibc's threshold for mappings of their own, and one above them that stays.
    blocks = [bytes([1]) * 100_000 for _ in range(2000)]
    last = bytes([1]) * 100_000
    full = process.memory_info().rss
    blocks.clear()
    memory.release_freed_memory()
    assert full - process.memory_info().rss > 100 * MIB
    assert len(last) == 100_000


def test_it_is_done_regularly(monkeypatch: pytest.MonkeyPatch) -> None:
    async def until_done_twice() -> None:
        task = asyncio.create_task(memory.release_regularly())
        async with asyncio.timeout(30):
            while len(done) < 2:
                await asyncio.sleep(0.01)
        task.cancel()

    done: list[int] = []
    monkeypatch.setattr(memory, "_SECONDS", 0.01)
    monkeypatch.setattr(memory, "release_freed_memory", lambda: done.append(1))
    asyncio.run(until_done_twice())


def test_without_glibc_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.CDLL", lambda name: object())
    memory.release_freed_memory()
