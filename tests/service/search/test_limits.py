from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlalchemy import text

from docduck import regex
from docduck.catalog.database import QueryTimedOut
from docduck.errors import InputError
from docduck.service.conditions import work_limits
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.finding import find_documents
from docduck.service.search.query import DocumentQuery
from tests.service.search.world import make, read_values

_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def checked_out(inst: Installation) -> int:
    """Connections that are in use."""
    return inst.catalog.engine.pool.checkedout()  # type: ignore[attr-defined, no-any-return]


def test_time_is_checked_for_each_value(any_inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = make(any_inst)
    rows = [{"What": f"row {number}"} for number in range(10)]
    read_values(any_inst, parser, {"Items": rows}, {"Items": rows})
    now, seen = [0.0], list[str]()

    def slow(_pattern: str, value: str, _work: int) -> bool:
        seen.append(value)
        now[0] += 4
        return False

    monkeypatch.setattr(work_limits, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(regex, "matches", slow)
    asked = DocumentQuery(
        filters=[{"field": "Items.What", "operator": "matches_regex", "value": "x$"}], in_values=True
    )
    with pytest.raises(InputError, match="takes too long"):
        find_documents(any_inst, any_inst.team_id, parser.id, asked)
    assert len(seen) == 3
    assert checked_out(any_inst) == 0


def test_the_database_ends_a_statement_that_takes_too_long(any_inst: Installation) -> None:
    for _ in range(3):
        with pytest.raises(QueryTimedOut), any_inst.catalog.read_session(0.05) as session:
            session.execute(text(_ENDLESS))
    assert checked_out(any_inst) == 0
    with any_inst.catalog.read_session() as session:
        limited = _ENDLESS.replace("FROM n)", "FROM n WHERE i < 300000)")
        assert session.scalar(text(limited)) == 300_000


def test_a_regular_expression_searches_as_much_text_as_its_work_allows() -> None:
    large = "(((a|b){1,30}){1,30})c"
    size = regex._compiled(large).programsize
    assert size > 1000
    assert regex.matches(large, "ab" * 100 + "c", 201 * size)
    assert not regex.matches(large, "ab" * 100 + "c", 200 * size)
    assert regex.matches("c$", "ab" * 100_000 + "c", work_limits.UNLIMITED.regex_work)
