"""The checks of a parser's tables."""

from __future__ import annotations

from sqlalchemy import select

from docduck.catalog.models import DocumentResult
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.service.upkeep.checks import DOCUMENT_CHECKS, CheckResult, checks
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, complete, make_parser


def null_shares(inst: Installation) -> dict[str, CheckResult]:
    parser = get_parser(inst, inst.team_id, "invoices")
    return {one.table: one for one in checks(inst, parser) if one.name == "null_share"}


def test_the_checks_of_documents_come_first(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_null_share=0)
    parser = make_parser(inst)
    found = checks(inst, get_parser(inst, inst.team_id, parser.id))
    assert tuple(one.name for one in found if one.table == "documents") == (*DOCUMENT_CHECKS,)
    assert [(one.table, one.name) for one in found[len(DOCUMENT_CHECKS) :]] == [("line_items", "null_share")]
    add(inst, parser, 3)
    complete(inst, parser)
    assert {one.passed for one in null_shares(inst).values()} == {True}, "few rows say nothing"


def test_a_column_without_values_is_named(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    add(any_inst, parser, 25)
    outcomes = complete(any_inst, parser, rows=2)
    assert len(outcomes) == 25
    assert {one.passed for one in null_shares(any_inst).values()} == {True}
    with any_inst.catalog.transaction() as session:
        for result in session.scalars(select(DocumentResult)):
            result.values = {
                field: [{**row, description: None} for row in value] if field == items else value
                for field, value in result.values.items()
                for items, description in [ids_of(parser)]
                if field != str(parser.fields[1].id)
            }
    found = null_shares(any_inst)
    assert found["documents"].description == "Mostly empty: Total (100%)"
    assert found["line_items"].description == "Mostly empty: Description (100%)"
    assert found["line_items"].metadata == {"rows": 50, "highest": 1.0, "limit": 0.95}


def ids_of(parser: ParserView) -> tuple[str, str]:
    """Return the ids of the table and of its first column."""
    return str(parser.fields[3].id), str(parser.fields[3].columns[0].id)
