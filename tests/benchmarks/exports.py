"""Exports of very many rows, beside what writes the same rows with nothing around it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import polars as pl
from sqlalchemy import insert

from docduck import clock
from docduck.catalog.models import Document, DocumentResult, StoredFile
from docduck.fields import parse_fields
from docduck.ids import new_id
from docduck.service.core.installation import Installation, open_installation
from docduck.service.outputs.exporting import ExportRequest, read_documents
from docduck.service.outputs.folder_exports import export_to_folder
from docduck.service.outputs.selection import ALL_DONE, select_ids
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, find
from docduck.settings import Settings
from tests.benchmarks.figures import Figure

ITEMS = 10
MEMORY_LIMIT = 400
FACTOR = 20
"""So many documents for each that the command line asks for: 100,000 by default."""

_RATIOS = {"csv": 0.5, "json": 0.5, "parquet": 1 / 3}
_FIELDS = parse_fields(
    [
        {"name": "Number"},
        {"name": "Date", "type": "date"},
        {"name": "Total", "type": "currency"},
        {
            "name": "Items",
            "type": "table",
            "columns": [
                {"name": "Description"},
                {"name": "Quantity", "type": "number"},
                {"name": "Price", "type": "currency"},
                {"name": "Amount", "type": "currency"},
                {"name": "Delivered", "type": "date"},
            ],
        },
    ]
)
_WORDS = ["Bolt", "Screw", "Nut", "Washer", "Panel", "Cable", "Motor", "Pump", "Valve", "Gear"]
_STEP = 2000


def exports(folder: Path, documents: int) -> Iterator[Figure]:
    """Yield the rates of all formats over ten line items a document, and what they are compared to."""
    count = documents * FACTOR
    inst = open_installation(Settings(home=folder / "home"))
    parser = _fill(inst, count)
    inst.close()
    rows = count * ITEMS
    measured = {one: _measure("export", folder, parser.id, one) for one in ("parquet", "csv", "json", "xml")}
    for format, ratio in _RATIOS.items():
        seconds, _ = _measure("duckdb", folder, measured["parquet"][2], format)[:2]
        found, memory = measured[format][:2]
        yield _rate(format, rows, found)
        yield Figure(
            f"{format} beside DuckDB's COPY", seconds / found, "×", ratio, "more", _note(rows / seconds)
        )
        yield Figure(f"{format} memory", memory, "MB", MEMORY_LIMIT)
    seconds, memory, _ = measured["xml"]
    yield Figure("xml", rows / seconds, "rows/s", 60_000, "more")
    yield Figure("xml memory", memory, "MB", MEMORY_LIMIT)
    bare, _, _ = _measure("openpyxl", folder, measured["parquet"][2], "xlsx")
    seconds, memory, _ = _measure("export", folder, parser.id, "xlsx")
    yield _rate("xlsx", rows, seconds)
    yield Figure("xlsx beside bare openpyxl", bare / seconds, "×", 0.8, "more", _note(rows / bare))
    yield Figure("xlsx memory", memory, "MB", MEMORY_LIMIT)
    seconds, _, _ = _measure("read", folder, parser.id, "")
    yield _rate("reading the catalog alone", rows, seconds)


def _rate(name: str, rows: int, seconds: float) -> Figure:
    return Figure(name, rows / seconds, "rows/s", note=f"{seconds:.1f} s")


def _note(rate: float) -> str:
    return f"that: {rate:,.0f} rows/s"


def _measure(what: str, folder: Path, subject: str, format: str) -> tuple[float, float, str]:
    """Run one measurement in a process of its own; return seconds, MB of memory and the file's path."""
    command = [sys.executable, "-m", "tests.benchmarks.exports", what, str(folder), subject, format]
    seconds, memory, path = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return seconds, memory, path


def _fill(inst: Installation, count: int) -> ParserView:
    """Store documents with their values, as many inserts."""
    parser = create_parser(inst, inst.team_id, NewParser(name="Bills", fields=_FIELDS))
    stored = inst.files.put_bytes(b"x")
    number, date, total, items = (str(field.id) for field in parser.fields)
    columns = [str(column.id) for column in parser.fields[3].columns]
    chance = random.Random(1)
    with inst.catalog.transaction() as session:
        session.add(StoredFile(sha256=stored.sha256, size=1, refs=count))
    for start in range(0, count, _STEP):
        documents, results = [], []
        for index in range(start, min(start + _STEP, count)):
            moment, document_id = clock.now(), new_id()
            common = {"created_at": moment, "updated_at": moment, "team_id": parser.team_id, "attempt": 1}
            documents.append(
                {
                    **common,
                    "id": document_id,
                    "parser_id": parser.id,
                    "name": f"bill-{index}.pdf",
                    "source": "api",
                    "sha256": stored.sha256,
                    "content_type": "application/pdf",
                    "size": 1,
                    "status": "processed",
                    "operation_id": document_id,
                }
            )
            rows = [dict(zip(columns, _item(chance), strict=True)) for _ in range(ITEMS)]
            values = {number: f"R-{index}", date: "2024-01-31", total: round(chance.random() * 9999, 2)}
            results.append(
                {
                    **common,
                    "document_id": document_id,
                    "mode": "fast",
                    "values": {**values, items: rows},
                    "evidence": {},
                    "warnings": [],
                    "pages": [],
                    "seconds": 0.1,
                }
            )
        with inst.catalog.transaction() as session:
            session.execute(insert(Document), documents)
            session.execute(insert(DocumentResult), results)
    return parser


def _item(chance: random.Random) -> list[Any]:
    count, price = chance.randint(1, 50), round(chance.random() * 100, 2)
    words = f"{chance.choice(_WORDS)} {chance.randint(1, 9999)}"
    return [words, count, price, round(count * price, 2), f"2024-{chance.randint(1, 12):02}-15"]


def _export(folder: Path, parser_id: str, format: str) -> str:
    inst = open_installation(Settings(home=folder / "home"))
    view = export_to_folder(inst, inst.team_id, parser_id, ExportRequest(format, "table"), folder=folder)
    inst.close()
    return str(view.path)


def _read(folder: Path, parser_id: str, format: str) -> str:
    """Read the documents of an export, and write nothing."""
    inst = open_installation(Settings(home=folder / "home"))
    with inst.catalog.read_session() as session:
        parser = find(session, inst.team_id, parser_id)
        for _ in read_documents(session, parser, select_ids(session, parser, ALL_DONE).ids):
            pass
    inst.close()
    return ""


def _copy(folder: Path, path: str, format: str) -> float:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE items AS SELECT * FROM read_parquet($1)", [path])
        begin = time.perf_counter()
        connection.execute(f"COPY items TO '{folder / 'copy'}' (FORMAT {format})")
        return time.perf_counter() - begin


def _bare(folder: Path, path: str, format: str) -> float:
    """Write the rows with openpyxl alone, as a program would that has them at hand."""
    frame = pl.read_parquet(path).with_columns(pl.col(pl.Decimal).cast(pl.Float64))
    begin = time.perf_counter()
    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet()
    for row in frame.iter_rows():
        page.append(row)
    book.save(folder / "bare.xlsx")
    return time.perf_counter() - begin


def main() -> None:
    """Measure one thing, and print its seconds, memory and file."""
    what, folder, subject, format = sys.argv[1:]
    begin = time.perf_counter()
    path, seconds = "", None
    if what in ("export", "read"):
        path = (_export if what == "export" else _read)(Path(folder), subject, format)
    else:
        seconds = (_copy if what == "duckdb" else _bare)(Path(folder), subject, format)
    taken = time.perf_counter() - begin if seconds is None else seconds
    print(json.dumps([taken, _peak_memory(), path]))


def _peak_memory() -> float:
    """Return the most memory of this process in MB; ``getrusage`` counts that of the parent, too."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main()
