"""Tables in a lake: writing, beside a DuckDB file, publication, how far they are behind, and upkeep.

Objects are in the memory of another process (``objects``), so that a store's own speed is left out.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, create_engine, text

from docduck.fields import FieldType
from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.outbound.object_store import Bucket
from docduck.service.outputs.warehouse_sync import PARSERS_AT_ONCE
from docduck.warehouse.lake.attaching import METADATA_SCHEMA
from docduck.warehouse.lake.lake import Lake
from docduck.warehouse.lake.published import file_names
from docduck.warehouse.opening import PUBLISH_CATALOG_FACTOR, PUBLISH_SECONDS
from docduck.warehouse.rows import DocumentRow, EvidenceRow, FieldColumns, ParserChanges, ParserSchema
from docduck.warehouse.warehouse import Warehouse, WarehouseOptions
from docduck.warehouse.warehouse_file import WarehouseFile
from tests.benchmarks.figures import Figure
from tests.benchmarks.objects import objects_served
from tests.object_store import KEYS
from tests.postgres import new_database, postgres_programs, postgres_running

COMMITS = (500, 2000)
PARSERS = 50
EACH = 20
RATE = 100
LEAST_RATE, MOST_PUBLISHING, MOST_BEHIND = 1000, 3.0, 20.0
_SCALARS, _CELLS, _ITEMS = 5, 5, 5
_REPEATS = 3


def lake(folder: Path, documents: int) -> Iterator[Figure]:
    """Write ``documents`` in commits of several sizes, publish twice as many files, and merge small ones."""
    programs = postgres_programs()
    if programs is None:
        sys.exit("PostgreSQL is not installed (make system-deps)")
    with postgres_running(programs) as server, objects_served() as store:
        for measure in (_commits, _parsers, _publication, _behind, _upkeep):
            with new_database(server) as address:
                bucket = Bucket(BucketEndpoint(f"s3://lake/{measure.__name__}", store, **KEYS))
                home = folder / measure.__name__
                home.mkdir()
                yield from measure(_World(home, address, bucket), documents)


@dataclass(frozen=True, slots=True)
class _World:
    home: Path
    address: str
    bucket: Bucket

    def lake(self, keep_hours: int = 24) -> Lake:
        """The lake of two teams: one has the parser ``p0``, the other one all the others."""
        teams = {"small": ["p0"], "large": [f"p{number}" for number in range(1, PARSERS)]}
        options = WarehouseOptions(publish_copy_factor=PUBLISH_CATALOG_FACTOR)
        return Lake(self.home, self.address, self.bucket, lambda: teams, keep_hours, options)

    def both(self) -> tuple[tuple[str, Warehouse], ...]:
        return ("lake", self.lake()), ("file", WarehouseFile(self.home))


class _Spent:
    """Seconds of blocks on the wall, and of the processor in this process."""

    def __init__(self) -> None:
        self.wall = self.processor = 0.0

    def __enter__(self) -> None:
        self.wall -= time.perf_counter()
        self.processor -= time.process_time()

    def __exit__(self, *_: object) -> None:
        self.wall += time.perf_counter()
        self.processor += time.process_time()


def _commits(world: _World, documents: int) -> Iterator[Figure]:
    """Write documents of one parser to a lake and to a file by turns."""
    schema, first = _schema(0), 0
    for size in COMMITS:
        spent = {name: _Spent() for name, _ in world.both()}
        kinds = world.both()
        for _, warehouse in kinds:
            warehouse.apply(schema)
        total = max(documents, size) // size * size
        for _ in range(total // size):
            made = _documents(first, size)
            first += size
            for name, warehouse in kinds:
                with spent[name]:
                    warehouse.apply(schema, made)
        yield from _rates(f"commits of {size}", total, spent, LEAST_RATE)


def _parsers(world: _World, documents: int) -> Iterator[Figure]:
    """Write a few documents of each of many parsers, as a synchronisation does."""
    schemas = [_schema(number) for number in range(PARSERS)]
    kinds = world.both()
    for _, warehouse in kinds:
        for schema in schemas:
            warehouse.apply(schema)
    spent = {name: _Spent() for name, _ in kinds}
    for turn in range(_REPEATS):
        for name, warehouse in kinds:
            made = [
                ParserChanges(schema, _documents((turn * PARSERS + number) * EACH, EACH))
                for number, schema in enumerate(schemas)
            ]
            with spent[name]:
                _write(warehouse, made)
    yield from _rates(f"{PARSERS} parsers, {EACH} documents each", _REPEATS * PARSERS * EACH, spent)


def _write(warehouse: Warehouse, changes: Sequence[ParserChanges]) -> None:
    """Write as a synchronisation does, several parsers at a time."""
    for first in range(0, len(changes), PARSERS_AT_ONCE):
        warehouse.apply_all(changes[first : first + PARSERS_AT_ONCE])


def _rates(
    name: str, documents: int, spent: dict[str, _Spent], limit: float | None = None
) -> Iterator[Figure]:
    note = ", ".join(f"{kind} {1000 * of.processor / documents:.2g} ms" for kind, of in spent.items())
    yield Figure(
        f"lake, {name}",
        documents / spent["lake"].wall,
        "documents/s",
        limit,
        better="more",
        note=f"processor time a document: {note}",
    )
    ratio = spent["lake"].processor / spent["file"].processor
    yield Figure("  beside a DuckDB file", ratio, "×", note="processor time")


def _publication(world: _World, documents: int) -> Iterator[Figure]:
    """Publish a lake of very many files, which have rows in the metadata alone."""
    lake = world.lake()
    for number in range(2):
        lake.apply(_schema(number), _documents(0, EACH))
    engine = create_engine(world.address)
    with engine.begin() as connection:
        files = _multiply(connection, 2 * documents)
    engine.dispose()
    lake.publish(force=True)
    for name, changed in (("all tables and one team's", 0), ("all tables and another team's", 1)):
        spent = _Spent()
        for turn in range(_REPEATS):
            lake.apply(_schema(changed), _documents((turn + 1) * EACH, EACH))
            with spent:
                lake.publish(force=True)
        yield Figure(
            f"published: {name}",
            spent.wall / _REPEATS,
            "s",
            MOST_PUBLISHING,
            note=f"{files} files, processor {spent.processor / _REPEATS:.2g} s, "
            f"{lake.published.stat().st_size / 1e6:.1f} MB",
        )


def _multiply(connection: Connection, wanted: int) -> int:
    """Give every file of documents as many twins as make ``wanted`` files; return the number of files."""
    files, tables, snapshots, numbers = (
        f"{METADATA_SCHEMA}.ducklake_{name}"
        for name in ("data_file", "table", "snapshot", "file_column_stats")
    )
    ours = f"table_id IN (SELECT table_id FROM {tables} WHERE table_name <> 'schemas')"
    first, after = connection.execute(
        text(f"SELECT count(*) FILTER (WHERE {ours}), max(data_file_id) + 1 FROM {files}")
    ).one()
    times = wanted // first
    for table in (files, numbers):
        names = list(connection.execute(text(f"SELECT * FROM {table} LIMIT 0")).keys())
        changed = {"data_file_id": f"data_file_id + twin * {after}", "path": "path || twin"}
        columns = ", ".join(changed.get(name, name) for name in names)
        twins = f"generate_series(1, {times - 1}) AS twin WHERE {ours}"
        connection.execute(text(f"INSERT INTO {table} SELECT {columns} FROM {table}, {twins}"))
    connection.execute(text(f"UPDATE {snapshots} SET next_file_id = {after * times}"))
    return int(connection.execute(text(f"SELECT count(*) FROM {files}")).scalar_one())


def _behind(world: _World, documents: int) -> Iterator[Figure]:
    """Write and publish as a reading run does while documents of many parsers arrive all the time."""
    lake, schemas = world.lake(), [_schema(number) for number in range(PARSERS)]
    _write(lake, [ParserChanges(schema) for schema in schemas])
    spent, seconds = _Spent(), documents / RATE
    begin, written, published, oldest = time.perf_counter(), 0, 0, 0.0
    while published < documents:
        arrived = min(int((time.perf_counter() - begin) * RATE), documents)
        made: list[list[DocumentRow]] = [[] for _ in schemas]
        for number, document in enumerate(_documents(written, arrived - written), written):
            made[number % PARSERS].append(document)
        changes = [ParserChanges(*pair) for pair in zip(schemas, made, strict=True) if pair[1]]
        written = arrived
        with spent:
            _write(lake, changes)
            is_published = lake.publish(at_rest=written == documents) is not None
        if is_published:
            oldest = max(oldest, time.perf_counter() - begin - published / RATE)
            published = written
        time.sleep(PUBLISH_SECONDS)
    yield Figure(
        f"tables behind, {RATE} documents/s",
        oldest,
        "s",
        MOST_BEHIND,
        note=f"{PARSERS} parsers, {seconds:g} s; writing took {100 * spent.wall / seconds:.0f} % of it,"
        f" processor {100 * spent.processor / seconds:.0f} %",
    )


def _upkeep(world: _World, documents: int) -> Iterator[Figure]:
    """Merge files of one document each, and delete the old ones."""
    lake, size = world.lake(keep_hours=0), documents // 5
    lake.replace(_schema(0), ([document] for document in _documents(0, size)))
    before, spent = _files(lake), _Spent()
    with spent:
        lake.maintain()
    yield Figure(
        "upkeep", spent.wall, "s", note=f"{before} → {_files(lake)} files, processor {spent.processor:.2g} s"
    )


def _files(lake: Lake) -> int:
    lake.publish(force=True)
    return len(file_names(lake.published))


def _schema(number: int) -> ParserSchema:
    scalars = tuple(_field(f"f{at}", FieldType.TEXT) for at in range(_SCALARS - 1))
    cells = tuple(_field(f"c{at}", FieldType.NUMBER if at else FieldType.TEXT) for at in range(_CELLS))
    items = FieldColumns("items", "Items", "items", FieldType.TABLE, columns=cells)
    return ParserSchema(f"p{number}", fields=(*scalars, _field("total", FieldType.CURRENCY), items))


def _field(name: str, kind: FieldType) -> FieldColumns:
    return FieldColumns(name, name, name, kind)


def _documents(first: int, count: int) -> list[DocumentRow]:
    """Invoices with five line items of five columns, and evidence for each of their thirty values."""
    return [_document(number) for number in range(first, first + count)]


def _document(number: int) -> DocumentRow:
    box = (1, 0.1, 0.2, 0.3, 0.04, 0.9)
    values = {f"f{at}": f"Value {number} {at}" for at in range(_SCALARS - 1)} | {"total": number / 100}
    items = [
        {"c0": f"Thing {row}", **{f"c{at}": at * row for at in range(1, _CELLS)}} for row in range(_ITEMS)
    ]
    evidence = [EvidenceRow(name, None, None, *box, str(value)) for name, value in values.items()]
    for row, item in enumerate(items, 1):
        evidence += [EvidenceRow("items", name, row, *box, str(value)) for name, value in item.items()]
    return DocumentRow(
        f"{number:012}",
        f"invoice {number}.pdf",
        status="processed",
        page_count=1,
        values=values,
        tables={"items": items},
        evidence=evidence,
    )
