"""A program of Dagster with longer intervals, and sockets in docduck's folder.

``python -m dagster_docduck.orchestration.dagster_process MODULE ARGUMENT…`` is ``python -m MODULE ARGUMENT…``
otherwise.
"""

import runpy
import sys

from dagster_docduck.private_dagster import poll_rarely, use_server_folder

if __name__ == "__main__":
    poll_rarely()
    use_server_folder()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
