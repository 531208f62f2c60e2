from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, func, select
from sqlalchemy.orm import Session

from docduck.catalog.database import Catalog
from docduck.catalog.models import PendingText, SearchText, SearchValue
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries.finding import find_documents
from docduck.service.parsers.parsers import ParserView
from docduck.service.search import index, long_texts, maintenance
from docduck.service.search.query import DocumentQuery
from tests.service.core.documents import add, complete, make_parser

_LONG = 30


@pytest.fixture
def transactions(any_inst: Installation, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The statements of each transaction that may write, as they were executed; 200 characters are long."""
    here = threading.local()
    found: list[list[str]] = []
    original = Catalog.transaction

    @contextmanager
    def noted(catalog: Catalog, *, durable: bool = False) -> Iterator[Session]:
        with original(catalog, durable=durable) as session:
            here.statements = []
            try:
                yield session
            finally:
                found.append(here.statements)
                here.statements = None

    def note(_connection: Any, _cursor: Any, sql: str, parameters: Any, _context: Any, many: bool) -> None:
        if getattr(here, "statements", None) is not None:
            here.statements += [" ".join(sql.split())] * (len(parameters) if many else 1)

    event.listen(any_inst.catalog.engine, "before_cursor_execute", note)
    monkeypatch.setattr(Catalog, "transaction", noted)
    for module in (index, long_texts):
        monkeypatch.setattr(module, "LONG_TEXT", 200)
    return found


def _made(inst: Installation) -> tuple[ParserView, str]:
    parser = make_parser(inst)
    (document_id,) = add(inst, parser)
    complete(inst, parser)
    return parser, document_id


def _change(inst: Installation, parser: ParserView, document_id: str, word: str, rows: int) -> None:
    values = {"Line Items": [{"Description": f"{word} {number}"} for number in range(rows)]}
    set_values(inst, parser.team_id, parser.id, document_id, values)


def _found(inst: Installation, parser: ParserView, word: str) -> int:
    return find_documents(inst, parser.team_id, parser.id, DocumentQuery(q=word, in_values=True)).total


def _count(inst: Installation, table: Any) -> int:
    with inst.catalog.read_session() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_a_large_change_takes_few_statements_in_several_transactions(
    any_inst: Installation, transactions: list[list[str]]
) -> None:
    parser, document_id = _made(any_inst)
    _change(any_inst, parser, document_id, "apple", 100)
    del transactions[:]
    _change(any_inst, parser, document_id, "pear", 200)
    values, cleared, written = transactions
    assert any(one.startswith("UPDATE document_results") for one in values)
    assert not any(one.startswith("UPDATE search_texts") for one in values)
    for text in (cleared, written):
        assert sum(one.startswith("UPDATE search_texts") for one in text) == 1
        assert not any("search_values" in one for one in text)
    few = [one for one in values if "search_values" in one]
    del transactions[:]
    _change(any_inst, parser, document_id, "cherry", 2000)
    assert [one for one in transactions[0] if "search_values" in one] == few, "whatever the number of rows"
    assert (_found(any_inst, parser, "pear"), _found(any_inst, parser, "cherry")) == (0, 1)
    assert _count(any_inst, PendingText) == 0


def test_words_are_found_while_and_after_others_write_between(
    any_inst: Installation, transactions: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    parser, document_id = _made(any_inst)
    _change(any_inst, parser, document_id, "apple", 100)
    versions, seen = long_texts._versions, list[tuple[int, int]]()

    def between(number: int) -> Any:
        if not seen:
            seen.append((_found(any_inst, parser, "apple"), _found(any_inst, parser, "pear")))
            writer = threading.Thread(target=_change, args=(any_inst, parser, document_id, "cherry", 100))
            writer.start()
            writer.join(_LONG)
            assert not writer.is_alive()
        return versions(number)

    monkeypatch.setattr(long_texts, "_versions", between)
    _change(any_inst, parser, document_id, "pear", 100)
    assert seen == [(0, 1)], "found by its values"
    assert [_found(any_inst, parser, word) for word in ("apple", "pear", "cherry")] == [0, 0, 1]
    assert _count(any_inst, PendingText) == 0


def test_what_a_crash_left_out_is_made_up_for(
    any_inst: Installation, transactions: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    parser, document_id = _made(any_inst)
    _change(any_inst, parser, document_id, "apple", 100)
    with monkeypatch.context() as patch:
        patch.setattr(long_texts, "write_pending", lambda *_args, **_kwargs: 0)
        _change(any_inst, parser, document_id, "pear", 100)
    assert _count(any_inst, PendingText) == 1
    assert (_found(any_inst, parser, "apple"), _found(any_inst, parser, "pear")) == (0, 1)
    maintenance.index_stale_documents(any_inst)
    assert _count(any_inst, PendingText) == 0
    assert (_found(any_inst, parser, "apple"), _found(any_inst, parser, "pear")) == (0, 1)
    with any_inst.catalog.read_session() as session:
        assert "pear 99" in (session.scalar(select(SearchText.body)) or "")
    monkeypatch.setattr(long_texts, "write_pending", lambda *_args, **_kwargs: 0)
    _change(any_inst, parser, document_id, "cherry", 100)
    delete_documents(any_inst, any_inst.team_id, [document_id])
    assert [_count(any_inst, table) for table in (PendingText, SearchText, SearchValue)] == [0, 0, 0]
