"""The API as one process on real sockets: uploads and reads a second, and what a large upload weighs."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import repeat
from pathlib import Path

import httpx
import psutil

from docduck.cli.runtime.addresses import free_port
from docduck.fields import parse_fields
from docduck.service.accounts.keys import create_key
from docduck.service.core.installation import Installation, open_installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.settings import Settings
from tests.benchmarks.clients import connect, form, get, receive, send_all, upload, upload_head
from tests.benchmarks.documents import invoice
from tests.benchmarks.figures import Figure
from tests.benchmarks.repeating import repeating
from tests.benchmarks.running import served
from tests.service.core.documents import upload as upload_one

UPLOADS_PER_SECOND = 150.0
GROWTH_MB = 30.0
CHANGE_SECONDS = 0.2
CONNECTIONS = 8
_LARGE_BYTES = 100 * 1000 * 1000
_PIECE = 256 * 1024
_MOST_UPLOADS = 1500
_READS = 2000
_WARM_UP = 50
_FIELDS = 1000
_CHANGES = 10
_SAMPLE_SECONDS = 0.01
_HOLDS = "holds on a busy machine too"


def api(folder: Path, documents: int) -> Iterator[Figure]:
    """Measure ``docduck serve`` in ``folder``."""
    settings = Settings(home=folder / "home", rate_limit_minute=0, rate_limit_day=0)
    inst = open_installation(settings)
    parser_id = create_parser(inst, inst.team_id, NewParser(template_key="invoice")).id
    key = create_key(inst, inst.team_id, "benchmark").text
    path = f"/api/v1/process/{parser_id}/files"
    try:
        with serving(settings.home, folder / "serve.log") as (address, process):
            count = min(documents, _MOST_UPLOADS)
            files = [invoice(number) for number in range(count + _WARM_UP)]
            requests = [upload(address, path, key, f"{n}.pdf", file) for n, file in enumerate(files)]
            send_all(address, iter(requests[:_WARM_UP]), CONNECTIONS)
            spent = _processor(process)
            seconds = send_all(address, iter(requests[_WARM_UP:]), CONNECTIONS)
            note = f"{count} files of {len(files[0])} bytes, {CONNECTIONS} connections, each on disk"
            yield Figure("small uploads", count / seconds, "/s", UPLOADS_PER_SECOND, "more", note)
            yield Figure(
                "  processor", 1000 * (_processor(process) - spent) / count, "ms/upload", note=_HOLDS
            )
            yield from _large_upload(address, path, key, process)
            yield from _reads(inst, address, key, process)
            yield from _many_fields(inst, address, key)
            yield Figure("memory at the end", process.memory_info().rss / 1e6, "MB")
    finally:
        inst.close()


def _large_upload(address: str, path: str, key: str, process: psutil.Process) -> Iterator[Figure]:
    before, after = form("large.pdf")
    size = len(before) + _LARGE_BYTES + len(after)
    content = invoice(0) + bytes(_LARGE_BYTES - len(invoice(0)))
    start = process.memory_info().rss
    held = [start]
    looking = repeating(lambda: held.append(process.memory_info().rss), _SAMPLE_SECONDS)
    with looking, closing(connect(address)) as connection:
        connection.sendall(upload_head(address, path, key, size) + before)
        for at in range(0, len(content), _PIECE):
            connection.sendall(content[at : at + _PIECE])
        connection.sendall(after)
        receive(connection)
    growth = (max(held) - start) / 1e6
    yield Figure("growth by an upload of 100 MB", growth, "MB", GROWTH_MB, note=f"from {start / 1e6:.0f} MB")


def _reads(inst: Installation, address: str, key: str, process: psutil.Process) -> Iterator[Figure]:
    parser = create_parser(inst, inst.team_id, NewParser("Read", template_key="invoice"))
    document_id = upload_one(inst, inst.team_id, parser.slug, invoice(0), "read.pdf")
    process_queue(inst, RunOptions(idle_seconds=0))
    request = get(address, f"/api/v1/process/{parser.id}/files/data?documentId={document_id}", key)
    send_all(address, repeat(request, _WARM_UP), CONNECTIONS)
    spent = _processor(process)
    seconds = send_all(address, repeat(request, _READS), CONNECTIONS)
    yield Figure("get document data", _READS / seconds, "/s", note=f"{CONNECTIONS} connections")
    yield Figure("  processor", 1000 * (_processor(process) - spent) / _READS, "ms/request", note=_HOLDS)


def _many_fields(inst: Installation, address: str, key: str) -> Iterator[Figure]:
    fields = parse_fields([{"name": f"Field {number}"} for number in range(_FIELDS)])
    parser = create_parser(inst, inst.team_id, NewParser("Many", fields=fields))
    url = f"{address}/api/v1/parsers/{parser.id}/fields/{parser.fields[_FIELDS // 2].id}"
    with httpx.Client(headers={"Authorization": f"Bearer {key}"}, timeout=60, trust_env=False) as client:
        times = []
        for number in range(_CHANGES):
            begin = time.perf_counter()
            client.patch(url, json={"description": f"No. {number}"}).raise_for_status()
            times.append(time.perf_counter() - begin)
    note = f"the quickest of {_CHANGES}"
    yield Figure(f"change a field of {_FIELDS}", min(times), "s", CHANGE_SECONDS, note=note)


def _processor(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@contextmanager
def serving(home: Path, log: Path) -> Iterator[tuple[str, psutil.Process]]:
    """Run ``docduck serve`` on a home, without rate limits; yield its address and its process."""
    port = free_port("127.0.0.1", 0, "the API", "DOCDUCK_API_PORT")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("DOCDUCK_")},
        "DOCDUCK_HOME": str(home),
        "DOCDUCK_API_PORT": str(port),
        "DOCDUCK_RATE_LIMIT_MINUTE": "0",
        "DOCDUCK_RATE_LIMIT_DAY": "0",
        "MALLOC_ARENA_MAX": "2",
    }
    program = ["-c", "from docduck.cli.main import main; main()", "serve"]
    with served(program, log, port, environment) as found:
        yield found
