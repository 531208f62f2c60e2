"""Changes of fields cost what they change."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from sqlalchemy import event

from docduck.fields import Field, parse_fields
from docduck.service.core.installation import Installation
from docduck.service.parsers.field_editing import add_field, delete_field, reorder_fields, update_field
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, get_parser, set_fields
from tests.work import calls

Change = Callable[[Installation, ParserView], Any]
TABLES = 10


def many(count: int) -> list[Field]:
    """Half of them fields, half columns of ten tables."""
    half = count // 2
    columns = [{"name": f"C {number}"} for number in range(half // TABLES)]
    tables = [{"name": f"Table {number}", "type": "table", "columns": columns} for number in range(TABLES)]
    return parse_fields([*({"name": f"Field {number}"} for number in range(half - TABLES)), *tables])


def described(inst: Installation, parser: ParserView) -> None:
    update_field(inst, parser.team_id, parser.id, "Field 7", {"description": "The seventh"})


def column_described(inst: Installation, parser: ParserView) -> None:
    (table,) = (field for field in parser.fields if field.name == "Table 3")
    texts = {"C 0": "Own"}
    columns = [{"name": one.name, "description": texts.get(one.name)} for one in table.columns]
    update_field(inst, parser.team_id, parser.id, "Table 3", {"columns": columns})


CHANGES: dict[str, Change] = {
    "describe": described,
    "describe a column": column_described,
    "rename": lambda inst, parser: update_field(
        inst, parser.team_id, parser.id, "Field 7", {"name": "Field 0007"}
    ),
    "add": lambda inst, parser: add_field(inst, parser.team_id, parser.id, {"name": "New"}),
    "delete": lambda inst, parser: delete_field(inst, parser.team_id, parser.id, "Table 9"),
    "reorder": lambda inst, parser: reorder_fields(
        inst, parser.team_id, parser.id, [str(one.id) for one in reversed(parser.fields)]
    ),
    "replace all": lambda inst, parser: set_fields(
        inst,
        parser.team_id,
        parser.id,
        [one.model_copy(update={"id": None, "name": f"N {one.name}"}) for one in parser.fields],
    ),
    "create": lambda inst, parser: create_parser(
        inst, parser.team_id, NewParser("Another", fields=parser.fields)
    ),
}


@pytest.mark.slow
def test_work_grows_no_faster_than_the_fields(inst: Installation) -> None:
    few, many_fields = (
        create_parser(inst, inst.team_id, NewParser(f"Of {count}", fields=many(count))) for count in (60, 540)
    )
    for parser in (few, many_fields):
        described(inst, parser)
    for name, change in CHANGES.items():
        work = []
        for parser in (few, many_fields):
            now = get_parser(inst, parser.team_id, parser.id)
            work.append(calls(partial(change, inst, now)))
        assert work[1] < 13 * work[0], (name, work)


def test_only_what_changed_is_written(any_inst: Installation) -> None:
    parser = create_parser(any_inst, any_inst.team_id, NewParser("Many", fields=many(60)))
    written: list[tuple[str, Any]] = []

    def note(_c: Any, _u: Any, statement: str, parameters: Any, _x: Any, many_rows: bool) -> None:
        if "parser_fields" in statement and not statement.lstrip().upper().startswith("SELECT"):
            written.extend([(statement, one) for one in (parameters if many_rows else [parameters])])

    event.listen(any_inst.catalog.engine, "before_cursor_execute", note)
    try:
        described(any_inst, parser)
    finally:
        event.remove(any_inst.catalog.engine, "before_cursor_execute", note)
    assert len(written) == 1 and written[0][0].startswith("UPDATE parser_fields SET description=")
    fields = get_parser(any_inst, parser.team_id, parser.id).fields
    assert [one.description for one in fields if one.description] == ["The seventh"]
    assert [one.id for one in fields] == [one.id for one in parser.fields]
