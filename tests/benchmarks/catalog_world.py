"""A catalog of very many read documents, made by bulk inserts: as the service would have left it."""

from __future__ import annotations

import csv
import datetime as dt
import io
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, text

from docduck.catalog.json_text import json_text
from docduck.fields import Field, parse_fields
from docduck.ids import new_id
from docduck.service.conditions import Kind
from docduck.service.core.installation import Installation
from docduck.service.folders.folder_changes import create_folder
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser
from docduck.service.search.encoding import field_key
from docduck.service.search.entries import (
    EXTERNAL_ID,
    NAME,
    IndexSchema,
    index_schema,
    property_entries,
    value_entries,
    values_text,
)

FIELDS = parse_fields(
    [
        {"name": "Invoice Number", "type": "text"},
        {"name": "Vendor", "type": "text"},
        {"name": "Customer", "type": "text"},
        {"name": "Order", "type": "text"},
        {"name": "Date", "type": "date"},
        {"name": "Currency", "type": "choice", "options": ["EUR", "USD", "GBP"]},
        {"name": "Net", "type": "currency"},
        {"name": "Tax", "type": "currency"},
        {"name": "Total", "type": "currency"},
        {"name": "Paid", "type": "boolean"},
        {
            "name": "Items",
            "type": "table",
            "columns": [
                {"name": "Description", "type": "text"},
                {"name": "Quantity", "type": "number"},
                {"name": "Amount", "type": "currency"},
            ],
        },
    ]
)
_FIRST = [
    "Nord", "Süd", "Ost", "West", "Alpha", "Beta", "Gamma", "Delta", "Omega",
    "Prime", "Global", "United", "First", "Royal", "Crown",
]  # fmt: skip
_SECOND = [
    "Trading", "Logistics", "Foods", "Metal", "Paper", "Glass", "Energy", "Systems", "Partners", "Supply",
]  # fmt: skip
VENDORS = [f"{one} {two} GmbH" for one in _FIRST for two in _SECOND]
_GOODS = [
    "steel", "bolt", "copper", "wire", "paper", "box", "office", "chair", "desk", "lamp", "cable", "printer",
    "toner", "screw", "nut", "pump",
]  # fmt: skip
_STATUSES = ("processed",) * 90 + ("approved",) * 5 + ("in_review",) * 3 + ("failed",) * 2
_BEGIN = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)
_CHUNK = 5000
_BLOCK = 20_000
_TABLES = {
    "documents": "id,team_id,parser_id,folder_id,name,name_key,file_name,external_id,source,sha256,"
    "content_type,size,page_count,status,operation_id,attempt,lost_leases,created_at,updated_at,processed_at",
    "document_results": "document_id,team_id,attempt,mode,values,evidence,warnings,pages,edited,seconds,"
    "created_at,updated_at",
}


def fill(inst: Installation, documents: int) -> ParserView:
    """A parser with so many documents, all of them read; their times are a minute apart.

    A block of them is made up; the others are the same but for name, external id, invoice number and time.
    """
    parser = create_parser(inst, inst.team_id, NewParser(name="Invoices", fields=FIELDS))
    folders = _folders(inst, parser)
    shape = index_schema(parser.id, parser.fields)
    chance = random.Random(7)
    block = min(documents, _BLOCK)
    with inst.catalog.engine.begin() as connection, _bulk(connection):
        writer = _Writer(connection)
        writer.insert(
            "stored_files",
            "sha256,size,refs,created_at",
            [("0" * 64, 1, documents, _moment(connection, _BEGIN))],
        )
        writer.insert(
            "search_shapes", "id,parser_id,fields", [(shape.id, parser.id, json_text(shape.as_json()))]
        )
        for start in range(0, block, _CHUNK):
            _chunk(writer, parser, shape, folders, chance, start, min(_CHUNK, block - start))
        for copy in range(1, documents // block):
            _Copier(writer, copy, block, shape.id).copy()
        refs = (str(parser.fields[0].id), NAME, EXTERNAL_ID)
        writer.copy_values(block, documents, [field_key(parser.id, ref, Kind.TEXT) for ref in refs])
    with inst.catalog.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE" if inst.catalog.is_sqlite else "VACUUM ANALYZE")
    return parser


class _Copier:
    """Makes another block of documents out of the first."""

    def __init__(self, writer: _Writer, copy: int, block: int, shape_id: int) -> None:
        self.writer = writer
        self.shift = copy * block
        self.block = block
        self.shape_id = shape_id
        self.is_sqlite = writer.is_sqlite
        prefix = f"{0x1A20000 + copy:08x}"
        self.new_id = f"'{prefix}' || substr(d.id, 9)"
        if not self.is_sqlite:
            self.new_id = f"('{prefix}' || substr(d.id::text, 9))::uuid"

    def copy(self) -> None:
        """Copy documents, results and texts."""
        at = "CAST(substr(d.name, 9, 7) AS integer)"
        old, new = self._padded(at), self._padded(f"{at} + {self.shift}")
        names = _TABLES["documents"].split(",")
        later = {
            "id": self.new_id,
            **{name: f"'invoice-' || {new} || '.pdf'" for name in ("name", "name_key", "file_name")},
            "external_id": f"'EXT-' || ({at} + {self.shift})",
            **{name: self._later(f"d.{name}") for name in names if name.endswith("_at")},
        }
        first = (
            f"JOIN search_entries e ON e.document_id = d.id WHERE e.number <= {self.block} ORDER BY e.number"
        )
        columns = ",".join(later.get(name, f"d.{name}") for name in names)
        self._run(f"INSERT INTO documents ({','.join(names)}) SELECT {columns} FROM documents d {first}")
        names = _TABLES["document_results"].split(",")
        values = 'r."values"' if self.is_sqlite else "convert_from(r.\"values\", 'UTF8')"
        changed = f"replace({values}, 'INV-' || {old}, 'INV-' || {new})"
        later = {
            "document_id": self.new_id,
            "values": changed if self.is_sqlite else f"convert_to({changed}, 'UTF8')",
        }
        columns = ",".join(later.get(name, f'r."{name}"') for name in names)
        quoted = ",".join(f'"{name}"' for name in names)
        self._run(
            f"INSERT INTO document_results ({quoted}) SELECT {columns} FROM document_results r "
            f"JOIN documents d ON d.id = r.document_id {first}"
        )
        at = "t.number - 1"
        old, new = self._padded(at), self._padded(f"{at} + {self.shift}")
        self._run(
            "INSERT INTO search_texts (number, name, external_id, body) "
            f"SELECT t.number + {self.shift}, 'invoice-' || {new} || '.pdf', "
            f"'ext-' || ({at} + {self.shift}), "
            f"replace(t.body, 'inv-' || {old}, 'inv-' || {new}) FROM search_texts t "
            f"WHERE t.number <= {self.block} ORDER BY t.number"
        )
        self._run(f"UPDATE search_entries SET shape_id = {self.shape_id} WHERE number > {self.shift}")

    def _padded(self, number: str) -> str:
        return f"printf('%07d', {number})" if self.is_sqlite else f"lpad(({number})::text, 7, '0')"

    def _later(self, moment: str) -> str:
        if self.is_sqlite:
            return f"strftime('%Y-%m-%d %H:%M:%f', {moment}, '+{self.shift} minutes') || '000'"
        return f"{moment} + interval '{self.shift} minutes'"

    def _run(self, statement: str) -> None:
        self.writer.connection.exec_driver_sql(
            statement.replace("%", "%%") if not self.is_sqlite else statement
        )


def _chunk(
    writer: _Writer,
    parser: ParserView,
    shape: IndexSchema,
    folders: Sequence[str],
    chance: random.Random,
    start: int,
    count: int,
) -> None:
    rows, results, found = [], [], []
    for at in range(start, start + count):
        moment = _moment(writer.connection, _BEGIN + dt.timedelta(minutes=at))
        document_id = new_id()
        name, external = f"invoice-{at:07d}.pdf", f"EXT-{at}"
        folder = folders[at % 50] if at % 50 < len(folders) else None
        owner, file = (parser.team_id, parser.id, folder), ("api", "0" * 64, "application/pdf", 1000, 1)
        work = (chance.choice(_STATUSES), document_id, 1, 0, moment, moment, moment)
        rows.append((document_id, *owner, name, name, name, external, *file, *work))
        values, evidence = made_values(parser.fields, chance, at)
        found_values = (json_text(values), json_text(evidence), "[]", "[]", writer.false, 0.1)
        results.append((document_id, parser.team_id, 1, "balanced", *found_values, moment, moment))
        found.append((document_id, name, external, values))
    writer.insert("documents", _TABLES["documents"], rows)
    writer.insert("document_results", _TABLES["document_results"], results)
    numbers = writer.numbers(start, count)
    texts: list[tuple[Any, ...]] = []
    entries: list[tuple[Any, ...]] = []
    for document_id, name, external, values in found:
        number = numbers[document_id]
        texts.append((number, name.casefold(), external.casefold(), values_text(shape, values)))
        both = value_entries(shape, values) | property_entries(parser.id, name, external, None)
        entries.extend((key, value, number) for key, value in both)
    writer.insert("search_texts", "number,name,external_id,body", texts)
    writer.insert("staged_values", "key,value,number", entries)
    writer.connection.execute(
        text("UPDATE search_entries SET shape_id = :shape WHERE number >= :least"),
        {"shape": shape.id, "least": min(numbers.values())},
    )


def made_values(
    fields: Sequence[Field], chance: random.Random, at: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values of a document and their evidence, by field id."""
    rows = [
        {
            "Description": f"{chance.choice(_GOODS)} {chance.choice(_GOODS)}",
            "Quantity": chance.randint(1, 99),
            "Amount": round(chance.random() * 1000, 2),
        }
        for _ in range(3)
    ]
    net = round(chance.random() * 10_000, 2)
    given = {
        "Invoice Number": f"INV-{at:07d}",
        "Vendor": chance.choice(VENDORS),
        "Customer": f"Customer {chance.randint(1, 5000)}",
        "Order": f"PO-{chance.randint(1, 900_000)}",
        "Date": (_BEGIN + dt.timedelta(days=chance.randint(0, 1500))).date().isoformat(),
        "Currency": chance.choice(["EUR", "USD", "GBP"]),
        "Net": net,
        "Tax": round(net * 0.19, 2),
        "Total": round(net * 1.19, 2),
        "Paid": chance.random() < 0.5,
    }
    values: dict[str, Any] = {}
    evidence: dict[str, Any] = {}
    for field in fields:
        if field.columns:
            ids = {column.name: str(column.id) for column in field.columns}
            values[str(field.id)] = [{ids[name]: cell for name, cell in row.items()} for row in rows]
            evidence[str(field.id)] = [{ids[name]: _entry() for name in row} for row in rows]
        else:
            values[str(field.id)] = given[field.name]
            evidence[str(field.id)] = _entry()
    return values, evidence


def _entry() -> dict[str, Any]:
    return {"confidence": 0.97, "page": 1, "source": "text", "edited": False}


def _folders(inst: Installation, parser: ParserView) -> list[str]:
    return [create_folder(inst, parser.team_id, parser.id, {"name": f"Folder {at}"}).id for at in range(20)]


def _moment(connection: Connection, moment: dt.datetime) -> str:
    if connection.dialect.name == "sqlite":
        return moment.replace(tzinfo=None).isoformat(" ", "microseconds")
    return moment.isoformat()


class _Writer:
    """Writes rows the fastest way that each database has."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.is_sqlite = connection.dialect.name == "sqlite"
        self.false: Any = 0 if self.is_sqlite else "f"

    def insert(self, table: str, columns: str, rows: Sequence[Sequence[Any]]) -> None:
        names = columns.split(",")
        uuids = (
            {at for at, name in enumerate(names) if name == "id" or name.endswith("_id")}
            if self.is_sqlite
            else set()
        )
        uuids = {
            at for at in uuids if names[at] not in ("external_id", "shape_id") and table != "search_shapes"
        }
        if table == "search_shapes" and self.is_sqlite:
            uuids = {names.index("parser_id")}
        quoted = ",".join(f'"{name}"' for name in names)
        if self.is_sqlite:
            marks = ",".join("?" for _ in names)
            given = [
                tuple(v.replace("-", "") if at in uuids and v else v for at, v in enumerate(row))
                for row in rows
            ]
            self.connection.exec_driver_sql(f"INSERT INTO {table} ({quoted}) VALUES ({marks})", given)
            return
        stream = io.StringIO()
        csv.writer(stream).writerows(rows)
        stream.seek(0)
        cursor = self.connection.connection.cursor()
        cursor.copy_expert(f"COPY {table} ({quoted}) FROM STDIN (FORMAT csv)", stream)

    def copy_values(self, block: int, documents: int, keys: Sequence[int]) -> None:
        """Values of all blocks; ``keys`` are of the invoice number, the name and the external id."""
        number, name, external = keys
        at = f"(v.number - 1 + c.copy * {block})"
        padded = f"printf('%07d', {at})" if self.is_sqlite else f"lpad({at}::text, 7, '0')"
        statement = (
            "WITH RECURSIVE copies (copy) AS (SELECT 0 UNION ALL SELECT copy + 1 FROM copies "
            f"WHERE copy + 1 < {documents // block}) "
            "INSERT INTO search_values (key, value, number) SELECT v.key, CASE v.key "
            f"WHEN {number} THEN 'inv-' || {padded} WHEN {name} THEN 'invoice-' || {padded} || '.pdf' "
            f"WHEN {external} THEN 'ext-' || {at} ELSE v.value END, {at} + 1 "
            "FROM copies c, staged_values v" + (" ORDER BY 1, 2, 3" if self.is_sqlite else "")
        )
        self.connection.execute(text(statement.replace(":", "\\:")))

    def numbers(self, start: int, count: int) -> dict[str, int]:
        """The numbers of the newest documents, by id."""
        rows = self.connection.execute(
            text("SELECT document_id, number FROM search_entries ORDER BY number DESC LIMIT :count"),
            {"count": count},
        )
        return {_dashed(str(row[0])): row[1] for row in rows}


def _dashed(hexadecimal: str) -> str:
    if "-" in hexadecimal:
        return hexadecimal
    h = hexadecimal
    return f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}"


@contextmanager
def _bulk(connection: Connection) -> Iterator[None]:
    """Without the indexes that are made faster once at the end."""
    if connection.dialect.name == "sqlite":
        trigger = "search_texts_inserted"
        (made,) = connection.exec_driver_sql(f"SELECT sql FROM sqlite_master WHERE name = '{trigger}'").one()
        connection.exec_driver_sql(f"DROP TRIGGER {trigger}")
        connection.exec_driver_sql("CREATE TEMP TABLE staged_values (key, value, number)")
        connection.exec_driver_sql("PRAGMA cache_size = -1000000")
        yield
        connection.exec_driver_sql("INSERT INTO search_index (search_index) VALUES ('rebuild')")
        connection.exec_driver_sql(made)
        connection.exec_driver_sql("DROP TABLE staged_values")
        return
    connection.exec_driver_sql("SET maintenance_work_mem = '512MB'")
    connection.exec_driver_sql("ALTER TABLE search_values DROP CONSTRAINT pk_search_values")
    connection.exec_driver_sql("DROP INDEX ix_search_texts_trigrams")
    connection.exec_driver_sql("CREATE TEMP TABLE staged_values (LIKE search_values)")
    yield
    connection.exec_driver_sql(
        "ALTER TABLE search_values ADD CONSTRAINT pk_search_values PRIMARY KEY (key, value, number)"
    )
    connection.exec_driver_sql(
        "CREATE INDEX ix_search_texts_trigrams ON search_texts USING gin "
        "(name gin_trgm_ops, external_id gin_trgm_ops, body gin_trgm_ops)"
    )
