"""Run tests that failed once more, alone: one that then passes is a race with other tests, or with a timer.

A plugin of pytest: ``python -m pytest -p tests.reruns``. The run passes if no test fails each time, and if at
most ``MOST_FLAKY`` passed only when run again. Those are listed at its end, with their first failure.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator

import pytest

RERUNS = 2
MOST_FLAKY = 3
MOST_FAILURES = 10
"""With more, something else is wrong than a race, and nothing is run again."""

_FAILURES = pytest.StashKey[dict[str, str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Collect the failures, also of other processes that run tests for this one."""
    config.stash[_FAILURES] = {}
    config.pluginmanager.register(_Collector(config.stash[_FAILURES]), "failures to run again")


class _Collector:
    def __init__(self, failures: dict[str, str]) -> None:
        self._failures = failures

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failures.setdefault(report.nodeid, report.longreprtext)


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, int | None, int | None]:
    """Run failed tests again once all others have ended."""
    status = yield
    failures = config.stash.get(_FAILURES, {})
    is_worker = hasattr(config, "workerinput")
    if status != pytest.ExitCode.TESTS_FAILED or is_worker or not 0 < len(failures) <= MOST_FAILURES:
        return status
    flaky = [test for test in failures if _passes(config, test)]
    for test in flaky:
        print(f"\n_ flaky: {test} _\n{failures[test]}")
    print(f"\n{len(failures)} failed, {len(flaky)} of them flaky: passed when run again, alone")
    for test in failures:
        print(f"{'flaky ' if test in flaky else 'failed'} {test}")
    if len(flaky) < len(failures):
        return status
    if len(flaky) > MOST_FLAKY:
        print(f"More than {MOST_FLAKY} are flaky")
        return status
    return pytest.ExitCode.OK


def _passes(config: pytest.Config, test: str) -> bool:
    """Return whether the test passes in a process of its own, in one of ``RERUNS`` runs."""
    command = [sys.executable, "-m", "pytest", "-q", "--rootdir", str(config.rootpath), test]
    for _ in range(RERUNS):
        done = subprocess.run(command, cwd=config.rootpath, capture_output=True, text=True)
        if done.returncode == pytest.ExitCode.OK:
            return True
    print(f"\n_ run again: {test} _\n{done.stdout}{done.stderr}")
    return False
