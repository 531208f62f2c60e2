from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Docduck

STEP = {"type": "transform", "field": "Vendor Name", "transform": "uppercase"}


@pytest.fixture
def parser(docduck: Docduck) -> str:
    assert docduck("parsers", "add", "--template", "invoice").code == 0
    return "invoices"


def test_tables_and_steps_are_set_and_shown(docduck: Docduck, parser: str, tmp_path: Path) -> None:
    table, steps = tmp_path / "vendors.csv", tmp_path / "steps.json"
    table.write_text("name,account\nAcme,7001\n")
    stored = docduck("parsers", "lookup-table", parser, "vendors", table)
    assert (stored.code, stored.out) == (0, "vendors: 1 row of name, account\n")
    (listed,) = docduck("parsers", "lookup-tables", parser, "--json").json
    assert (listed["name"], listed["columns"], listed["rows"]) == ("vendors", ["name", "account"], 1)
    assert "name; account" in docduck("parsers", "lookup-tables", parser).out

    steps.write_text(json.dumps({"steps": [STEP]}))
    assert docduck("parsers", "post-processing", parser, "--set", steps, "--json").json == {"steps": [STEP]}
    shown = docduck("parsers", "post-processing", parser).out
    assert "uppercase" in shown and "Vendor Name" in shown
    gone = docduck("parsers", "lookup-table", parser, "vendors", "--delete")
    assert gone.out == "Deleted the lookup table vendors\n"


def test_what_is_wrong_is_told(docduck: Docduck, parser: str, tmp_path: Path) -> None:
    both = docduck("parsers", "lookup-table", parser, "vendors", "x.csv", "--delete")
    neither = docduck("parsers", "lookup-table", parser, "vendors")
    assert {both.err, neither.err} == {"Error: Name either the CSV file of the table, or --delete\n"}
    missing = docduck("parsers", "lookup-table", parser, "vendors", "--delete")
    assert (missing.code, missing.err) == (
        2,
        "Error: Lookup table not found: vendors (docduck parsers lookup-tables PARSER shows all)\n",
    )
    file = tmp_path / "x.json"
    file.write_text("[]")
    assert 'must be {"steps": [...]}' in docduck("parsers", "post-processing", parser, "--set", file).err
    file.write_text('{"steps": [{"type": "transform", "field": "No", "transform": "trim"}]}')
    assert docduck("parsers", "post-processing", parser, "--set", file).err == "Error: Unknown field: No\n"


def test_the_audit_log_is_listed(docduck: Docduck, parser: str, tmp_path: Path) -> None:
    steps = tmp_path / "steps.json"
    steps.write_text(json.dumps({"steps": [STEP]}))
    docduck("parsers", "post-processing", parser, "--set", steps)
    listed = docduck("audit", "--action", "parser.updated").out
    assert "system cli" in listed and "post_processing" in listed
    mine = ("audit", "--actor", "cli", "--action", "parser.updated")
    page = docduck(*mine, "--since", "2020-01-01", "--json").json
    assert (page["pagination"]["total"], page["data"][0]["details"]["after"]) == (1, [STEP])
    assert docduck("audit", "--until", "2020-01-01", "--json").json["data"] == []
    today = dt.datetime.now().astimezone().date().isoformat()
    assert docduck("audit", "--until", today, "--since", today, "--json").json["data"]
    assert docduck("audit", "--until", "soon").err.startswith("Error: --until must be an ISO 8601 date")
    assert docduck("audit", "--resource", "x").err == "Error: Invalid resourceId\n"
