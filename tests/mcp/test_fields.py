"""Fields that an agent sets at once."""

from __future__ import annotations

from tests.mcp.served import Agent


def test_fields_are_changed_added_and_kept(lite: Agent) -> None:
    fields = [{"name": "Number", "labels": ["No."]}, {"name": "Old"}]
    parser = lite.call("create_parser", name="Bills", fields=fields)["id"]
    wanted = [{"name": "Total", "type": "currency"}, {"name": "number", "description": "Its number"}]
    lite.call("set_fields", parserId=parser, fields=wanted)
    number, old, total = lite.call("get_parser", parserId=parser)["fields"]
    assert (number["name"], number["labels"], number["description"]) == ("number", ["No."], "Its number")
    assert (old["name"], total["name"], total["type"]) == ("Old", "Total", "currency")
    lite.call("set_fields", parserId=parser, fields=wanted, deleteOthers=True)
    assert [one["name"] for one in lite.call("get_parser", parserId=parser)["fields"]] == ["Total", "number"]


def test_a_wrong_field_is_named_and_nothing_is_changed(lite: Agent) -> None:
    parser = lite.call("create_parser", name="Bills", fields=[{"name": "Number"}])["id"]
    told = lite.error(
        "set_fields",
        parserId=parser,
        fields=[{"name": "Number", "type": "date"}, {"name": "Kind", "type": "choice"}, {"name": "number"}],
    )
    assert "fields.1.options" in told and "fields.2.name: 'Number' is given twice" in told
    (number,) = lite.call("list_fields", parserId=parser)["fields"]
    assert number["type"] == "text"
