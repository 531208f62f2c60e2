"""A program of Dagster that takes less of the processor while idle.

``python -m dagster_docduck.orchestration.dagster_process MODULE ARGUMENT…`` is ``python -m MODULE ARGUMENT…``
otherwise.
"""

import runpy
import sys

from dagster_docduck.orchestration.private_dagster import keep_engines, poll_rarely

DAEMON = "dagster._daemon"

if __name__ == "__main__":
    del sys.argv[0]
    poll_rarely()
    if sys.argv[0] == DAEMON:
        keep_engines()
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
