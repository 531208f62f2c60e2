"""Lists and searches of very many documents: what requests take, and what the index costs."""

from __future__ import annotations

import datetime as dt
import random
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from docduck.service.core.installation import Installation, open_installation
from docduck.service.documents.queries.document_views import show_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.parsers.parsers import ParserView
from docduck.service.search.query import ROOT, DocumentQuery
from docduck.settings import Settings
from tests.benchmarks.catalog_world import VENDORS, fill
from tests.benchmarks.figures import Figure
from tests.benchmarks.index_cost import index_cost
from tests.postgres import postgres_programs, postgres_running

TIMES_AS_MANY = 200
LIST_LIMIT, SEARCH_LIMIT, GET_LIMIT, DEEP_LIMIT = 50, 250, 15, 10
_ROUNDS = 7
_BEGIN = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)

Ask = Callable[[random.Random], DocumentQuery]


def catalog(folder: Path, documents: int) -> Iterator[Figure]:
    """Lists and searches of 200 times ``documents``, on SQLite and, where it is installed, PostgreSQL."""
    count = documents * TIMES_AS_MANY
    inst = open_installation(Settings(home=folder / "sqlite"))
    parser = fill(inst, count)
    size = sum(file.stat().st_size for file in (folder / "sqlite").glob("catalog.sqlite*"))
    yield from measure(inst, parser, count, "SQLite", size)
    inst.close()
    if programs := postgres_programs():
        with postgres_running(programs, ["shared_buffers=512MB", "max_wal_size=8GB"]) as address:
            inst = open_installation(Settings(home=folder / "postgres", catalog_url=address))
            parser = fill(inst, count)
            with create_engine(address).connect() as connection:
                size = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
            yield from measure(inst, parser, count, "PostgreSQL", size)
            inst.close()


def measure(inst: Installation, parser: ParserView, count: int, where: str, size: int) -> Iterator[Figure]:
    """What each kind of request takes."""
    yield Figure(f"{where}: disk", size / count, "bytes/document", note=f"{size / 1e9:.1f} GB in all")
    kinds = {"list": (_lists(inst, count), LIST_LIMIT), "search": (_searches(count), SEARCH_LIMIT)}
    for kind, (asks, limit) in kinds.items():
        everything: list[float] = []
        lines = []
        for name, ask in asks.items():
            taken, total = _timed(inst, parser, ask)
            everything.extend(taken)
            lines.append(Figure(f"  {name}", _p95(taken), "ms", note=f"p95; {total} found"))
        yield Figure(f"{where}: {kind}, p95 of all", _p95(everything), "ms", limit)
        yield from lines
    first, _ = _timed(inst, parser, lambda _: DocumentQuery())
    pages = count // 50
    for name, sort in (("createdAt", "createdAt.desc"), ("name", "name.asc")):
        worst = max(
            statistics.median(_timed(inst, parser, _page_of(sort, max(1, round(pages * part))))[0])
            for part in (0.25, 0.5, 0.75, 1)
        )
        ratio = worst / statistics.median(first)
        yield Figure(
            f"{where}: deep page by {name}", ratio, "× the first", DEEP_LIMIT, note=f"{worst:.3g} ms"
        )
    yield Figure(f"{where}: get data, p95", _p95(_gets(inst, parser, count)), "ms", GET_LIMIT)
    yield from index_cost(inst, parser, where)


def _page_of(sort: str, page: int) -> Ask:
    return lambda _: DocumentQuery(sort=sort, page=page)


def _lists(inst: Installation, count: int) -> dict[str, Ask]:
    def month(chance: random.Random) -> DocumentQuery:
        start = _BEGIN + dt.timedelta(minutes=chance.randrange(count))
        return DocumentQuery(created_from=start, created_to=start + dt.timedelta(days=30))

    with inst.catalog.read_session() as session:
        folders = [str(one) for one in session.execute(text("SELECT id FROM folders")).scalars()]
    folders = [f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}" if "-" not in h else h for h in folders]
    return {
        "first page": lambda _: DocumentQuery(),
        "second pages": lambda chance: DocumentQuery(page=chance.randint(2, 20)),
        "status": lambda chance: DocumentQuery(status=chance.choice(["processed", "failed", "in_review"])),
        "folder": lambda chance: DocumentQuery(folder_id=chance.choice(folders)),
        "no folder, status": lambda _: DocumentQuery(folder_id=ROOT, status="approved"),
        "a month": month,
        "by name": lambda _: DocumentQuery(sort="name.asc"),
        "by change": lambda _: DocumentQuery(sort="updatedAt.desc"),
        "status, by name": lambda _: DocumentQuery(sort="name.desc", status="processed"),
        "external id": lambda chance: DocumentQuery(external_id=f"EXT-{chance.randrange(count)}"),
        "part of a name": lambda chance: DocumentQuery(q=f"{chance.randrange(count):07d}"),
    }


def _searches(count: int) -> dict[str, Ask]:
    def search(**given: Any) -> DocumentQuery:
        return DocumentQuery(in_values=True, **given)

    def narrow(chance: random.Random) -> DocumentQuery:
        low = chance.randint(0, 11_000)
        return search(filters=[_filter("Total", "between", [low, low + 10])])

    return {
        "q: a number": lambda c: search(q=f"inv-{c.randrange(count):07d}"),
        "q: a vendor": lambda c: search(q=c.choice(VENDORS)),
        "q: customer and goods": lambda c: search(q=f"{c.randint(1, 5000)} steel"),
        "q: a frequent word": lambda c: search(q=c.choice(["steel", "bolt", "lamp"])),
        "q: frequent, status": lambda _: search(q="copper", status="processed"),
        "equals": lambda c: search(filters=[_filter("Vendor", "equals", c.choice(VENDORS))]),
        "between": narrow,
        "greater than": lambda c: search(filters=[_filter("Total", "greater_than", c.randint(2000, 11_000))]),
        "column equals": lambda c: search(filters=[_filter("Items.Quantity", "equals", c.randint(1, 99))]),
        "two filters": lambda c: search(
            filters=[
                _filter("Vendor", "equals", c.choice(VENDORS)),
                _filter("Total", "greater_than", c.randint(2000, 11_000)),
            ]
        ),
        "starts with": lambda c: search(filters=[_filter("Order", "starts_with", f"PO-{c.randint(10, 99)}")]),
        "in, status": lambda c: search(
            filters=[_filter("Currency", "in", ["EUR", "GBP"]), _filter("$status", "equals", "failed")]
        ),
        "by a number": lambda _: search(sort="field:Total.desc"),
        "by a text": lambda c: search(sort="field:Vendor.asc", page=c.randint(1, 20)),
        "by a date, status": lambda _: search(sort="field:Date.asc", status="processed"),
        "q, by a number": lambda c: search(q=c.choice(VENDORS), sort="field:Total.asc"),
    }


def _filter(field: str, operator: str, value: Any) -> dict[str, Any]:
    return {"field": field, "operator": operator, "value": value}


def _timed(inst: Installation, parser: ParserView, ask: Ask) -> tuple[list[float], int]:
    chance = random.Random(11)
    taken, total = [], 0
    for at in range(_ROUNDS + 1):
        query = ask(chance)
        begin = time.perf_counter()
        total = find_documents(inst, parser.team_id, parser.id, query).total
        if at:
            taken.append(1000 * (time.perf_counter() - begin))
    return taken, total


def _gets(inst: Installation, parser: ParserView, count: int) -> list[float]:
    chance = random.Random(12)
    taken = []
    for _ in range(40):
        external_id = f"EXT-{chance.randrange(count)}"
        begin = time.perf_counter()
        show_document(inst, parser.team_id, parser.id, external_id=external_id)
        taken.append(1000 * (time.perf_counter() - begin))
    return taken


def _p95(taken: list[float]) -> float:
    return sorted(taken)[round(0.95 * (len(taken) - 1))]
