"""A program of Dagster with longer intervals: ``python -m orchestration.dagster_process MODULE ARGUMENT…``.

It is ``python -m MODULE ARGUMENT…`` otherwise.
"""

import runpy
import sys

from orchestration.private_dagster import poll_rarely

if __name__ == "__main__":
    poll_rarely()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
