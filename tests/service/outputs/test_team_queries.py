"""Queries of teams, whose tables are in a file with those of others, or in a lake."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from docduck.errors import InputError
from docduck.service.accounts.accounts import create_team
from docduck.service.core.installation import Installation
from docduck.service.outputs.team_queries import query_team, query_team_fully, team_tables
from docduck.service.outputs.warehouse_sync import differing_tables, publish, rebuild, sync_warehouse
from tests.conftest import MakeInstallation
from tests.service.core.documents import read_document


@pytest.fixture(params=["file", pytest.param("lake", marks=pytest.mark.postgres)])
def inst(request: pytest.FixtureRequest, make_installation: MakeInstallation) -> Installation:
    """An installation with one document in the table of its first team."""
    lake = request.param == "lake"
    made = make_installation(**(request.getfixturevalue("lake_settings") if lake else {}))
    read_document(made)
    sync_warehouse(made)
    publish(made, force=True)
    return made


def test_a_team_queries_its_tables_and_no_others_also_once_they_were_rebuilt_or_lost(
    inst: Installation,
) -> None:
    other = create_team(inst, "Other", "other")
    assert [*team_tables(inst, inst.team_id)] == ["invoices"]
    assert query_team(inst, inst.team_id, "SELECT number FROM invoices.documents").rows == (("A-1",),)
    lines = query_team_fully(inst, inst.team_id, "SELECT sum(amount) FROM invoices.line_items")
    assert lines.rows == (("1.00",),)
    assert team_tables(inst, other.id) == {}
    with pytest.raises(InputError) as caught:
        query_team(inst, other.id, "SELECT number FROM invoices.documents")
    assert "A-1" not in caught.value.message

    before = query_team(inst, inst.team_id, "FROM invoices.line_items")
    assert rebuild(inst) == 1
    publish(inst, force=True)
    assert query_team(inst, inst.team_id, "FROM invoices.line_items") == before
    assert differing_tables(inst) == {}

    if inst.settings.lake_url is None:
        (inst.settings.home / "warehouse.duckdb").unlink()
    else:
        with inst.catalog.engine.begin() as connection:
            connection.execute(text("DROP SCHEMA docduck_lake CASCADE"))
        inst.__dict__.pop("warehouse")
    assert sync_warehouse(inst).documents == 1
    publish(inst, force=True)
    assert query_team(inst, inst.team_id, "FROM invoices.line_items") == before
