"""Measure speed and memory: ``python -m tests.benchmarks [NAME…] [--documents N] [--quick] [--minutes M]``.

Exits with 1 if a limit is broken. On a busy machine trust the ratios only.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

from tests.benchmarks.api import api
from tests.benchmarks.catalog import catalog
from tests.benchmarks.cluster import cluster
from tests.benchmarks.events import events
from tests.benchmarks.exports import exports
from tests.benchmarks.figures import Figure, show
from tests.benchmarks.frames import frames
from tests.benchmarks.kills import cluster_kills, kills
from tests.benchmarks.lake import lake
from tests.benchmarks.mcp import mcp
from tests.benchmarks.neighbours import neighbours
from tests.benchmarks.pages import pages
from tests.benchmarks.pipeline import pipeline
from tests.benchmarks.reading import reading
from tests.benchmarks.rules import rules
from tests.benchmarks.scaling import scaling
from tests.benchmarks.soak import soak
from tests.benchmarks.sources import sources
from tests.benchmarks.triage import triage
from tests.benchmarks.webhooks import webhooks
from tests.benchmarks.whole import whole

BENCHMARKS: dict[str, Callable[..., Iterator[Figure]]] = {
    "reading": reading,
    "scaling": scaling,
    "pipeline": pipeline,
    "api": api,
    "mcp": mcp,
    "pages": pages,
    "whole": whole,
    "catalog": catalog,
    "cluster": cluster,
    "lake": lake,
    "neighbours": neighbours,
    "kills": kills,
    "cluster_kills": cluster_kills,
    "triage": triage,
    "rules": rules,
    "webhooks": webhooks,
    "events": events,
    "frames": frames,
    "exports": exports,
    "soak": soak,
    "sources": sources,
}
TIMED = ("kills", "cluster_kills")
DOCUMENTS = 5000
QUICK_DOCUMENTS = 500
_WIDTH = 120


def main() -> int:
    """Run the benchmarks that the command line names; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measure docduck.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"any of {', '.join(BENCHMARKS)}; all if none"
    )
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help=f"how many (default {DOCUMENTS})")
    parser.add_argument("--quick", action="store_true", help=f"the same as --documents {QUICK_DOCUMENTS}")
    parser.add_argument("--minutes", type=float, help=f"how long {' and '.join(TIMED)} kill")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - BENCHMARKS.keys():
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    documents = QUICK_DOCUMENTS if arguments.quick else arguments.documents
    console = Console(highlight=False, width=_WIDTH)
    broken = 0
    for name in arguments.names or BENCHMARKS:
        with tempfile.TemporaryDirectory(prefix=f"docduck-{name}-") as folder:
            timed = {"minutes": arguments.minutes} if name in TIMED else {}
            figures = list(BENCHMARKS[name](Path(folder), documents, **timed))
        show(console, f"{name}, {documents} documents", figures)
        broken += sum(not figure.passes for figure in figures)
    if broken:
        console.print(f"[red]{broken} limits are broken[/]")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
