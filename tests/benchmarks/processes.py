"""Memory and processor time of a tree of processes, each named by what it does."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from statistics import median
from types import TracebackType
from typing import Self

import psutil

_ROLES = (
    ("docduck.workers.fork_program", "workers"),
    ("spawn_main", "run"),
    ("resource_tracker", "run's helper"),
    ("api grpc", "definitions"),
    ("code-server", "code server"),
    ("orchestration.webserver", "webserver"),
    ("dagster._daemon", "daemon"),
    ("guard.py", "guard"),
    ("main() serve", "service"),
    ("docduck", "supervisor"),
)


@dataclass(frozen=True, slots=True)
class Sample:
    """Resident bytes by process and role at a moment, of which ``progress`` says how far things were."""

    progress: int
    rss: dict[tuple[int, str], int]


@dataclass(frozen=True, slots=True)
class Memory:
    """All processes of a tree together: resident bytes (shared pages count each time),
    and by proportional share, of which ``roles`` is each one's."""

    rss: int
    pss: int
    roles: dict[str, int]


def memory_of(root: int) -> Memory:
    """What a tree of processes holds at this moment."""
    rss = 0
    roles: dict[str, int] = defaultdict(int)
    for process in _tree(root):
        with suppress(psutil.Error):
            full = process.memory_full_info()
            rss += full.rss
            roles[role_of(" ".join(process.cmdline()))] += getattr(full, "pss", full.rss)
    return Memory(rss, sum(roles.values()), dict(roles))


class Watched:
    """Samples the processes below ``root`` once a second while the block runs."""

    def __init__(self, root: int, progress: Callable[[], int] = lambda: 0) -> None:
        self.samples: list[Sample] = []
        self._root = root
        self._progress = progress
        self._roles: dict[psutil.Process, str] = {}
        self._first: dict[psutil.Process, float] = {}
        self._last: dict[psutil.Process, float] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watched", daemon=True)

    def cpu(self) -> dict[str, float]:
        """Processor seconds by role in the block, of processes that ended in it as well."""
        total: dict[str, float] = defaultdict(float)
        for process, seconds in self._last.items():
            total[self._roles[process]] += seconds - self._first.get(process, 0.0)
        return dict(total)

    def typical_rss(self, begin: int, end: int) -> dict[str, float]:
        """Median resident bytes of one process by role, while progress was in [begin, end)."""
        seen: dict[str, list[int]] = defaultdict(list)
        for sample in self.samples:
            if begin <= sample.progress < end:
                for (_, role), rss in sample.rss.items():
                    seen[role].append(rss)
        return {role: median(values) for role, values in seen.items()}

    def __enter__(self) -> Self:
        self._sample()
        self._first = dict(self._last)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(1.0):
            self._sample()

    def _sample(self) -> None:
        rss: dict[tuple[int, str], int] = {}
        for process in _tree(self._root):
            with suppress(psutil.Error):
                role = self._roles.get(process) or role_of(" ".join(process.cmdline()))
                self._roles[process] = role
                times = process.cpu_times()
                self._last[process] = times.user + times.system
                rss[process.pid, role] = process.memory_info().rss
        self.samples.append(Sample(self._progress(), rss))


def role_of(command: str) -> str:
    """What a process is for, by its command line."""
    return next((role for sign, role in _ROLES if sign in command), "other")


def _tree(root: int) -> list[psutil.Process]:
    try:
        process = psutil.Process(root)
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []
