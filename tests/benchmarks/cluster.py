"""Reading by several homes on one PostgreSQL and one bucket: what each document costs more than with one."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any

import psutil
from sqlalchemy import create_engine, text

from docduck.catalog.models import Document
from docduck.service.core.installation import open_installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.document_queue import ClaimRequest, claim, targets_with_work
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.upkeep.health import queues
from docduck.settings import Settings
from tests.benchmarks.documents import write_documents
from tests.benchmarks.figures import Figure
from tests.benchmarks.processes import Watched
from tests.object_store import keys_set, new_bucket, object_store
from tests.postgres import new_database, postgres_programs, postgres_running
from tests.service.core.documents import upload

HOMES = (1, 2, 4)
LEAST_EFFICIENCY = 0.85
QUEUED = 1_000_000
PARSERS, CLAIMED, CLAIMS = 10, 16, 50
MOST_CLAIM_MS = 10
_USED = """
    SELECT (pg_current_wal_lsn() - '0/0')::float AS log,
        pg_database_size(current_database()) AS size,
        (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS commits,
        (SELECT coalesce(sum(greatest(reltuples, 0)), 0) FROM pg_class
            WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS rows
"""


def cluster(folder: Path, documents: int) -> Iterator[Figure]:
    """Read ``documents`` by one home, by two and by four, each with one worker."""
    programs = postgres_programs()
    if programs is None:
        sys.exit("PostgreSQL is not installed (make system-deps)")
    files = write_documents(folder / "documents", documents)
    with postgres_running(programs) as server, object_store() as store, keys_set():
        costs = {}
        for homes in HOMES:
            name = f"homes_{homes}"
            engine = create_engine(server, isolation_level="AUTOCOMMIT")
            with engine.connect() as connection:
                connection.execute(text(f"CREATE DATABASE {name}"))
            engine.dispose()
            shared: dict[str, Any] = {
                "catalog_url": server.replace("/postgres?", f"/{name}?"),
                "files_url": f"s3://{new_bucket(store).config['bucket']}",
                "files_endpoint": store,
                "workers": 1,
            }
            begin = _used(shared["catalog_url"])
            seconds, costs[homes] = _read(folder / name, homes, shared, files)
            if homes == 1:
                yield from _catalog_costs(begin, _used(shared["catalog_url"]), documents)
            note = f"{1000 * costs[homes] / documents:.3g} ms of processor time a document"
            yield Figure(f"read by {homes}", documents / seconds, "documents/s", note=note)
        yield from _claims(folder / "queue", server)
    for homes in HOMES[1:]:
        efficiency = costs[1] / costs[homes]
        note = "processor time a document, of one home and of several"
        yield Figure(f"efficiency of {homes}", efficiency, "", LEAST_EFFICIENCY, better="more", note=note)


def _used(catalog: str) -> dict[str, float]:
    """Return what PostgreSQL has used for a catalog until now, and its processor time for all of them."""
    engine = create_engine(catalog, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("ANALYZE"))
        used = connection.execute(text(_USED)).mappings().one()
        server = psutil.Process(connection.execute(text("SELECT pg_backend_pid()")).scalar_one()).parent()
    engine.dispose()
    assert server is not None
    times = server.cpu_times()
    # The server's own figures hold those of sessions that have ended.
    seconds = times.user + times.system + times.children_user + times.children_system
    for process in server.children():
        seconds += process.cpu_times().user + process.cpu_times().system
    return {**used, "seconds": seconds}


def _catalog_costs(begin: dict[str, float], end: dict[str, float], documents: int) -> Iterator[Figure]:
    """Yield what PostgreSQL uses for a document, from its upload until it is in the table."""
    used = {name: (value - begin[name]) / documents for name, value in end.items()}
    yield Figure("PostgreSQL: processor time", 1000 * used["seconds"], "ms/document")
    yield Figure("PostgreSQL: rows", used["rows"], "rows/document")
    yield Figure("PostgreSQL: disk", used["size"] / 1000, "kB/document", note="tables and indexes")
    yield Figure("PostgreSQL: write-ahead log", used["log"] / 1000, "kB/document")
    yield Figure("PostgreSQL: commits", used["commits"], "commits/document")


def _claims(folder: Path, server: str) -> Iterator[Figure]:
    """Claim documents of ten parsers with a million queued, as a run does."""
    with new_database(server) as address:
        inst = open_installation(Settings(home=folder, catalog_url=address))
        for number in range(PARSERS):
            parser = create_parser(inst, inst.team_id, NewParser(name=f"P{number}", template_key="invoice"))
            upload(inst, inst.team_id, parser.slug, b"Total: %d" % number, "bill.txt")
        columns = [column.name for column in Document.__table__.columns]
        values = {"id": "gen_random_uuid()", "operation_id": "gen_random_uuid()"}
        values["queued_at"] = "queued_at + n * INTERVAL '1 millisecond'"
        chosen = ", ".join(values.get(name, name) for name in columns)
        with inst.catalog.transaction() as session:
            session.execute(
                text(
                    f"INSERT INTO documents ({', '.join(columns)}) SELECT {chosen}"
                    f" FROM documents, generate_series(1, {QUEUED // PARSERS}) n"
                )
            )
        with inst.catalog.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE documents"))
        seconds = []
        for _ in range(CLAIMS):
            begin = time.perf_counter()
            targets = list(targets_with_work(inst, slow=False))
            chosen_target = ClaimRequest(targets[0], CLAIMED)
            assert len(claim(inst, [chosen_target], "bench")) == CLAIMED
            seconds.append(time.perf_counter() - begin)
        note = (
            f"{CLAIMED} documents of {QUEUED:,} queued for {PARSERS} parsers, with the choice of the parser"
        )
        yield Figure("a claim", 1000 * median(seconds), "ms", MOST_CLAIM_MS, note=note)
        begin = time.perf_counter()
        queues(inst)
        yield Figure("the queue's figures", 1000 * (time.perf_counter() - begin), "ms", note="for /metrics")
        inst.close()


def _read(folder: Path, homes: int, shared: dict[str, Any], files: list[Path]) -> tuple[float, float]:
    """Return the seconds that reading took, and the processor seconds of all homes together."""
    inst = open_installation(Settings(home=folder / "0", **shared))
    parser = create_parser(inst, inst.team_id, NewParser(template_key="invoice"))
    for file in files:
        upload(inst, inst.team_id, parser.slug, file)
    # Every home gets its files from the bucket, not from those that it has stored.
    shutil.rmtree(folder / "0" / "cache")
    context = multiprocessing.get_context("spawn")
    pipes = [context.Pipe() for _ in range(homes)]
    processes = [
        context.Process(target=_home, args=(folder / f"{number}", number > 0, shared, pipe))
        for number, (_, pipe) in enumerate(pipes)
    ]
    for process in processes:
        process.start()
    for pipe, _ in pipes:
        pipe.recv()
    begin = time.perf_counter()
    for pipe, _ in pipes:
        pipe.send("go")
    spent = [pipe.recv() for pipe, _ in pipes]
    seconds = time.perf_counter() - begin
    for process in processes:
        process.join()
    process_queue(inst)
    rows = inst.warehouse.counts(published=False)[parser.slug]["documents"]
    inst.close()
    if rows != len(files):
        raise RuntimeError(f"{rows} of {len(files)} documents are in the table")
    return seconds, sum(spent)


def _home(home: Path, only_reads: bool, shared: dict[str, Any], pipe: Connection) -> None:
    inst = open_installation(Settings(home=home, **shared), only_reads=only_reads)
    pipe.send("ready")
    pipe.recv()
    with Watched(os.getpid()) as watched:
        process_queue(inst, RunOptions(idle_seconds=0))
    inst.close()
    pipe.send(sum(watched.cpu().values()))
