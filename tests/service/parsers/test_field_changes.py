"""What can be changed of single fields, and what is refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from docduck.errors import Conflict, InputError, NotFound
from docduck.fields import Field, parse_fields
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.parsers.field_editing import (
    FieldsChanged,
    add_field,
    delete_field,
    put_fields,
    reorder_fields,
    update_field,
)
from docduck.service.parsers.parsers import (
    NewParser,
    ParserChanges,
    ParserView,
    create_parser,
    get_parser,
    update_parser,
)
from tests.conftest import MakeInstallation
from tests.service.core.documents import add

TABLE = {
    "name": "Items",
    "type": "table",
    "columns": [{"id": "c_item", "name": "Item"}, {"id": "c_price", "name": "Price", "type": "currency"}],
}


class Fields:
    """The fields of a parser; each change gives their names."""

    def __init__(self, inst: Installation, *fields: dict[str, Any]) -> None:
        self.inst = inst
        self.parser = create_parser(inst, inst.team_id, NewParser("p", fields=parse_fields(list(fields))))
        self.again = False
        self._place = (inst, inst.team_id, self.parser.id)

    def now(self) -> ParserView:
        return get_parser(*self._place)

    def field(self, name: str) -> Field:
        (found,) = (one for one in self.now().fields if one.name == name)
        return found

    def _names(self, changed: FieldsChanged) -> list[str]:
        assert [one.position for one in changed.fields] == list(range(len(changed.fields)))
        assert changed.fields == self.now().fields
        self.again = changed.reprocess_recommended
        return [one.name for one in changed.fields]

    def add(self, **properties: Any) -> list[str]:
        return self._names(add_field(*self._place, properties))

    def update(self, ref: str, **properties: Any) -> list[str]:
        return self._names(update_field(*self._place, ref, properties))

    def put(self, *wanted: dict[str, Any], **more: Any) -> list[str]:
        return self._names(put_fields(*self._place, wanted, **more))

    def delete(self, ref: str) -> list[str]:
        return self._names(delete_field(*self._place, ref))

    def reorder(self, *refs: str) -> list[str]:
        return self._names(reorder_fields(*self._place, refs))


def test_fields_are_added_where_they_are_wanted(inst: Installation) -> None:
    fields = Fields(inst)
    assert fields.add() == ["Field"]
    assert fields.add(type="number") == ["Field", "Field 2"]
    assert fields.add(name=" Größe ", position=1) == ["Field", "Größe", "Field 2"]
    assert fields.add(name="Last", position=99)[-1] == "Last"
    assert fields.add(**TABLE, position=0)[0] == "Items"


def test_a_changed_field_keeps_its_id_and_what_is_not_given(inst: Installation) -> None:
    fields = Fields(inst, {"name": "A", "description": "d", "labels": ["l"]}, {"name": "B"}, TABLE)
    before = fields.field("A")
    assert fields.update("a", name="New", description=None, required=True) == ["New", "B", "Items"]
    changes = {"name": "New", "description": None, "required": True}
    assert fields.field("New") == before.model_copy(update=changes)
    assert fields.update(str(before.id), position=2) == ["B", "Items", "New"]
    assert fields.update(str(before.id), position=0, name="NEW") == ["NEW", "B", "Items"]
    assert fields.update(str(before.id), position=None, id=None) == ["NEW", "B", "Items"]
    fields.update("NEW", type="choice", options=["x"])
    assert (fields.field("NEW").id, fields.field("NEW").options) == (before.id, ("x",))
    for one in fields.now().fields:
        fields.update(str(one.id), **one.model_dump(mode="json"))
    assert fields.field("NEW").labels == ("l",)
    with pytest.raises(InputError, match="The id of a field can't be changed"):
        fields.update("Items", id="other")
    with pytest.raises(NotFound, match="Field not found"):
        fields.update("C", name="x")


def test_columns_are_the_whole_list(inst: Installation) -> None:
    fields = Fields(inst, TABLE, {"name": "Other"})

    def change(*columns: dict[str, Any]) -> list[tuple[str | None, str]]:
        fields.update("Items", columns=list(columns))
        return [(one.id, one.name) for one in fields.field("Items").columns]

    added = change({"name": "New", "id": "c_new"}, {"name": "price"}, {"id": "c_item", "name": "Article"})
    assert added == [("c_new", "New"), ("c_price", "price"), ("c_item", "Article")]
    swapped = change({"id": "c_price", "name": "Article"}, {"id": "c_item", "name": "price"})
    assert swapped == [("c_price", "Article"), ("c_item", "price")]
    assert change({"name": "Only"})[0][1] == "Only"
    with pytest.raises(Conflict, match="Field already exists"):
        change({"id": "c_price", "name": "Back"})
    fields.update("Items", type="text")
    assert fields.field("Items").columns == ()
    fields.update("Items", type="table", columns=[{"name": "Item"}])
    assert [one.name for one in fields.field("Items").columns] == ["Item"]


def test_a_deleted_field_s_name_is_free_and_its_id_is_not(inst: Installation) -> None:
    fields = Fields(inst, {"name": "A"}, {"name": "B"}, TABLE)
    first = str(fields.field("A").id)
    assert fields.delete(first) == ["B", "Items"]
    assert fields.delete("items") == ["B"]
    with pytest.raises(NotFound, match="Field not found") as caught:
        fields.delete(first)
    assert (caught.value.kind, caught.value.value) == ("fieldId", first)
    assert fields.add(name="A") == ["B", "A"]
    with pytest.raises(Conflict, match="Field already exists"):
        fields.add(id=first)


def test_an_order_names_every_field_once(inst: Installation) -> None:
    fields = Fields(inst, {"name": "A"}, {"name": "B"}, {"name": "C"})
    a, b, c = (str(one.id) for one in fields.now().fields)
    assert fields.reorder(c, a, b) == ["C", "A", "B"]
    assert fields.reorder("b", c, "A") == ["B", "C", "A"]
    for wrong in ([], [a, b], [a, b, c, a], [a, a, b], [a, b, "nothing"], [a, b, c, "nothing"]):
        with pytest.raises(InputError, match="fieldIds must name every field exactly once") as caught:
            fields.reorder(*wrong)
        assert caught.value.path == "fieldIds"


def test_when_documents_would_be_read_differently(inst: Installation) -> None:
    fields = Fields(inst, {"name": "A"}, TABLE)
    fields.update("A", type="number")
    assert not fields.again, "there are no documents"
    documents = add(inst, fields.parser)
    ref = str(fields.field("A").id)
    changes: list[dict[str, Any]] = [
        *({"name": "AA"}, {"name": "A"}, {"type": "text"}, {"description": "d"}, {"instructions": "i"}),
        *({"required": True}, {"type": "choice", "options": ["a"]}, {"options": ["b"]}, {"labels": ["l"]}),
        {"extract": False},
    ]
    for change in changes:
        fields.update(ref, **change)
        assert fields.again, change
        fields.update(ref, **change)
        assert not fields.again, change
    columns = [one.model_dump(mode="json") for one in fields.field("Items").columns]
    for kept, again in ((columns[::-1], False), (columns[:1], True)):
        fields.update("Items", columns=kept)
        assert fields.again is again
    fields.update("A", position=1)
    fields.reorder("A", "Items")
    assert not fields.again
    fields.add(name="New")
    assert fields.again
    fields.delete("New")
    assert fields.again
    delete_documents(inst, inst.team_id, documents)
    fields.add(name="New")
    assert not fields.again


def test_what_documents_are_parted_by_follows_renames(inst: Installation) -> None:
    fields = Fields(inst, {"name": "No."}, TABLE)

    def part_by(**split: str) -> None:
        changes = ParserChanges(settings={"splitDocuments": split})
        update_parser(inst, inst.team_id, fields.parser.id, changes)

    def key() -> Any:
        return fields.now().settings["splitDocuments"]["partitionKey"]

    part_by(partitionKey="No.")
    fields.update("No.", name="Number")
    assert key() == "Number"
    part_by(partitionKey="Items.Price")
    fields.update("Items", name="Rows")
    fields.update("Rows", columns=[{"id": "c_price", "name": "Amount"}])
    assert key() == "Rows.Amount"
    part_by(partitionKey="Number", partitionKeySource="custom")
    fields.update("Number", name="No.")
    assert key() == "Number"


@pytest.mark.parametrize(
    ("properties", "message", "place"),
    [
        ({"type": "choice"}, "is a choice and needs options", "options"),
        ({"columns": [{"name": "a"}]}, "has columns, but its type is text, not table", "columns"),
        ({"type": "table", "columns": [{"name": "a"}, {"name": "A"}]}, "names 'A' twice", "columns"),
        (
            {"type": "table", "columns": [{"id": "x", "name": "a"}, {"id": "x", "name": "b"}]},
            "has the id 'x' twice",
            "columns",
        ),
        (
            {"type": "table", "columns": [{"name": "a", "type": "choice"}]},
            "is a choice and needs options",
            "columns.0.options",
        ),
    ],
)
def test_what_does_not_fit_together(
    inst: Installation, properties: dict[str, Any], message: str, place: str
) -> None:
    fields = Fields(inst, {"name": "A"})
    before = fields.now()
    for change in (fields.add, partial(fields.update, "A")):
        with pytest.raises(InputError, match=message) as caught:
            change(**properties)
        assert [path for path, _ in caught.value.details] == [place]
        assert "fields.0" not in caught.value.message
    assert fields.now() == before


def test_what_exists_already(inst: Installation) -> None:
    fields = Fields(inst, {"name": "Total", "id": "t1"}, TABLE)
    new: list[dict[str, Any]] = [
        *({"name": " TOTAL "}, {"id": "t1"}, {"id": "c_item"}),
        {"type": "table", "columns": [{"name": "a", "id": "t1"}]},
        {"id": "n", "type": "table", "columns": [{"name": "a", "id": "n"}]},
    ]
    for properties in new:
        with pytest.raises(Conflict, match="Field already exists"):
            fields.add(**properties)
    changes: list[dict[str, Any]] = [{"name": "total"}, {"columns": [{"id": "t1", "name": "a"}]}]
    for properties in changes:
        with pytest.raises(Conflict, match="Field already exists"):
            fields.update("Items", **properties)
    assert len(fields.now().fields) == 2


def test_many_fields_are_set_at_once_all_or_none(inst: Installation) -> None:
    fields = Fields(inst, {"name": "A"}, {"id": "b", "name": "B", "labels": ["Bee"]}, TABLE)
    wanted = [
        {"name": "New", "type": "date"},
        {"id": "b", "name": "Better"},
        {"name": " a ", "description": "The first"},
    ]
    for _ in range(2):
        assert fields.put(*wanted) == ["a", "Better", "Items", "New"]
    assert fields.field("a").description == "The first"
    assert (fields.field("Better").id, fields.field("Better").labels) == ("b", ("Bee",))
    assert len(fields.field("Items").columns) == 2
    only = fields.put({"name": "Total", "type": "currency"}, {"id": "b"}, delete_others=True)
    assert only == ["Total", "Better"]
    before = fields.now()
    wrong: list[dict[str, Any]] = [
        {"name": "Total", "description": "fine"},
        *({"name": "total"}, {"id": "c"}, {"id": "b", "name": "Total"}, {"id": "x", "name": "Better"}),
        {"name": "Kind", "type": "choice"},
    ]
    with pytest.raises(InputError, match=r"^fields.1.name: 'Total' is given twice$") as caught:
        fields.put(*wrong)
    assert [path for path, _ in caught.value.details] == [
        *("fields.1.name", "fields.2.name", "fields.3.name", "fields.4.id", "fields.5.options"),
    ]
    assert caught.value.details[2][1] == "Field already exists"
    assert fields.now() == before


def test_no_change_brings_too_many_fields(make_installation: MakeInstallation) -> None:
    table = {"name": "t", "type": "table", "columns": [{"name": "b"}]}
    fields = Fields(make_installation(max_fields=3), {"name": "a"}, table)
    words = "A parser may have 3 fields, columns included"
    with pytest.raises(InputError, match=words):
        fields.add()
    with pytest.raises(InputError, match=words):
        fields.update("t", columns=[{"name": "b"}, {"name": "d"}])


def test_edits_at_the_same_time_are_all_kept(any_inst: Installation) -> None:
    fields = Fields(any_inst, *({"name": f"old {number}"} for number in range(4)))

    def edit(number: int) -> None:
        place = (any_inst, any_inst.team_id, fields.parser.id)
        if number % 2:
            add_field(*place, {"name": f"new {number}"})
        else:
            update_field(*place, f"old {number // 2}", {"description": f"d {number}"})

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(edit, range(8)))
    found = fields.now().fields
    assert [one.description for one in found[:4]] == ["d 0", "d 2", "d 4", "d 6"]
    assert sorted(one.name for one in found[4:]) == ["new 1", "new 3", "new 5", "new 7"]
    assert [one.position for one in found] == list(range(8))
