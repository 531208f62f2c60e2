from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from docduck.fields import FieldType
from docduck.warehouse.names import assign_column, assign_table, assign_table_column
from docduck.warehouse.rows import DocumentRow, EvidenceRow, FieldColumns, ParserChanges, ParserSchema
from docduck.warehouse.warehouse import Warehouse
from docduck.warehouse.warehouse_file import WarehouseFile
from tests.warehouse.samples import INVOICES, ITEM, ITEMS, NUMBER, QUANTITY, TOTAL, contents, invoice


def with_fields(*fields: FieldColumns) -> ParserSchema:
    return replace(INVOICES, fields=fields)


def assert_like_new(warehouse: Warehouse, schema: ParserSchema, documents: list[DocumentRow]) -> None:
    """The migrated file holds exactly what a file made afresh from the same documents holds."""
    fresh = WarehouseFile(warehouse.published.parent / "fresh")
    fresh.rebuild([(schema, [documents])])
    assert contents(warehouse) == contents(fresh.path)


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(
            (
                *INVOICES.fields[:2],
                FieldColumns("f_new", "New", "new", FieldType.LIST, "x"),
                *INVOICES.fields[2:],
            ),
            id="a field added in the middle",
        ),
        pytest.param(INVOICES.fields[1:], id="a field removed"),
        pytest.param(
            (replace(NUMBER, name="Bill No.", column="bill_no"), *INVOICES.fields[1:]), id="renamed"
        ),
        pytest.param(
            (
                replace(NUMBER, name="Total", column="total"),
                replace(TOTAL, name="Invoice No.", column="invoice_no"),
                *INVOICES.fields[2:],
            ),
            id="two names swapped",
        ),
        pytest.param(INVOICES.fields[::-1], id="reordered"),
        pytest.param((replace(NUMBER, description=None), *INVOICES.fields[1:]), id="description removed"),
        pytest.param((replace(NUMBER, type=FieldType.CHOICE), *INVOICES.fields[1:]), id="text to choice"),
        pytest.param(INVOICES.fields[:-1], id="a table removed"),
        pytest.param(
            (replace(ITEMS, name="Rows", column="rows"), *INVOICES.fields[:-1]), id="a table renamed"
        ),
        pytest.param(
            (replace(ITEMS, columns=(QUANTITY,)), *INVOICES.fields[:-1]), id="a table's column removed"
        ),
        pytest.param(
            (replace(ITEMS, columns=(QUANTITY, replace(ITEM, name="Article", column="article"))),),
            id="a table's column renamed and moved",
        ),
        pytest.param(
            (replace(ITEMS, column="rows", columns=(replace(ITEM, column="article"),)), TOTAL),
            id="a table and its column renamed at once",
        ),
        pytest.param(
            (
                *INVOICES.fields,
                FieldColumns("f_taxes", "Taxes", "taxes", FieldType.TABLE, "t", (replace(ITEM, id="c_2"),)),
            ),
            id="a table added",
        ),
        pytest.param((), id="all removed"),
    ],
)
def test_a_change_of_fields_keeps_the_values(warehouse: Warehouse, after: tuple[FieldColumns, ...]) -> None:
    documents = [invoice(number) for number in range(3)]
    warehouse.apply(INVOICES, documents)
    applied = warehouse.apply(with_fields(*after))
    assert not applied.needs_rebuild
    assert_like_new(warehouse, with_fields(*after), documents)


def test_two_tables_swap_names(warehouse: Warehouse) -> None:
    taxes = FieldColumns("f_taxes", "Taxes", "taxes", FieldType.TABLE, None, (replace(ITEM, id="c_tax"),))
    documents = [
        invoice(1, tables={"f_items": [{"c_item": "a"}], "f_taxes": [{"c_tax": "b"}, {"c_tax": "c"}]})
    ]
    warehouse.apply(with_fields(ITEMS, taxes), documents)
    swapped = with_fields(replace(ITEMS, column="taxes"), replace(taxes, column="line_items"))
    warehouse.apply(swapped)
    assert warehouse.counts(published=False)["invoices"]["line_items"] == 2
    assert_like_new(warehouse, swapped, documents)


def test_the_description_of_a_parser_follows(warehouse: Warehouse) -> None:
    warehouse.apply(INVOICES, [invoice(1)])
    for description in ("it's new", None):
        schema = replace(INVOICES, description=description)
        warehouse.apply(schema)
        assert_like_new(warehouse, schema, [invoice(1)])


def test_a_retyped_field_is_cast_until_its_documents_are_given_again(warehouse: Warehouse) -> None:
    documents = [invoice(1, values={"f_number": "17"}), invoice(2, values={"f_number": "A 17"})]
    warehouse.apply(INVOICES, documents)
    retyped = with_fields(replace(NUMBER, type=FieldType.NUMBER), *INVOICES.fields[1:])

    assert warehouse.apply(retyped).needs_rebuild
    rows = contents(warehouse)["invoices.documents"][2]
    assert [row[12] for row in rows] == [Decimal(17), None]
    assert warehouse.apply(retyped, [invoice(3)]).needs_rebuild
    applied = warehouse.replace(retyped, [[document] for document in documents])
    assert not applied.needs_rebuild
    assert (applied.documents, [misfit.document_id for misfit in applied.warnings]) == (2, ["doc-2"])
    assert not warehouse.apply(retyped).needs_rebuild
    assert_like_new(warehouse, retyped, documents)


@pytest.mark.slow
@pytest.mark.parametrize("before", list(FieldType))
def test_a_type_can_become_any_other(warehouse: Warehouse, tmp_path: Path, before: FieldType) -> None:
    samples = {
        FieldType.DATE: "2026-01-31",
        FieldType.BOOLEAN: True,
        FieldType.LIST: ["a"],
        FieldType.NUMBER: 1.5,
    }
    document = invoice(
        1, values={"f": samples.get(before, "1")}, tables={"f": [{"c_item": "x"}]}, evidence=[]
    )

    def schema(name: str, kind: FieldType) -> ParserSchema:
        columns = (ITEM,) if kind is FieldType.TABLE else ()
        return ParserSchema(name, None, (FieldColumns("f", "F", "f", kind, None, columns),))

    became = [schema(f"to_{after}", after) for after in FieldType]
    warehouse.apply_all(
        [ParserChanges(replace(one, fields=schema("", before).fields), [document]) for one in became]
    )
    applied = warehouse.apply_all([ParserChanges(one) for one in became])
    for one, done in zip(became, applied, strict=True):
        if done.needs_rebuild:
            warehouse.replace(one, [[document]])
    fresh = WarehouseFile(tmp_path / "fresh")
    fresh.rebuild([(one, [[document]]) for one in became])
    assert contents(warehouse) == contents(fresh.path)


@dataclass
class Catalog:
    """A parser and its documents as a catalog would hold them, changed at random."""

    random: random.Random
    fields: list[FieldColumns] = field(default_factory=list)
    documents: dict[str, DocumentRow] = field(default_factory=dict)
    made: int = 0

    @property
    def schema(self) -> ParserSchema:
        return ParserSchema("parser", "Made up", tuple(self.fields))

    def step(self) -> tuple[list[DocumentRow], list[str]]:
        """One change; gives what is to be applied for it."""
        chosen = self.random.choice(
            ["write"] * 4 + ["delete", "add", "remove", "rename", "retype", "shuffle", "columns"]
        )
        if chosen == "write":
            return self.write(), []
        if chosen == "delete" and self.documents:
            gone = self.random.choice([*self.documents])
            del self.documents[gone]
            return [], [gone]
        if chosen == "add":
            self.fields.insert(self.random.randint(0, len(self.fields)), self.new_field())
        elif self.fields:
            place = self.random.randrange(len(self.fields))
            if chosen == "remove":
                del self.fields[place]
            elif chosen == "shuffle":
                self.random.shuffle(self.fields)
            else:
                self.fields[place] = self.changed(self.fields[place], chosen)
        return [], []

    def changed(self, old: FieldColumns, how: str) -> FieldColumns:
        if how == "rename":
            return self.named(
                replace(old, name=self.name()), [other for other in self.fields if other is not old]
            )
        if how == "retype" and old.type is not FieldType.TABLE:
            return replace(old, type=self.random.choice([t for t in FieldType if t is not FieldType.TABLE]))
        if how == "columns" and old.type is FieldType.TABLE:
            columns = [column for column in old.columns if self.random.random() < 0.7]
            columns.append(self.new_column(columns))
            self.random.shuffle(columns)
            return replace(old, columns=tuple(columns))
        return replace(old, description=self.name())

    def new_field(self) -> FieldColumns:
        new = FieldColumns(self.id("f"), self.name(), "", self.random.choice(list(FieldType)))
        if new.type is FieldType.TABLE:
            columns: list[FieldColumns] = []
            for _ in range(self.random.randint(0, 3)):
                columns.append(self.new_column(columns))
            new = replace(new, columns=tuple(columns))
        return self.named(new, self.fields)

    def new_column(self, others: list[FieldColumns]) -> FieldColumns:
        kind = self.random.choice([t for t in FieldType if t is not FieldType.TABLE])
        taken = {other.column for other in others}
        name = self.name()
        return FieldColumns(self.id("c"), name, assign_table_column(name, taken), kind, None)

    def named(self, new: FieldColumns, others: list[FieldColumns]) -> FieldColumns:
        table = new.type is FieldType.TABLE
        taken = {other.column for other in others if (other.type is FieldType.TABLE) is table}
        return replace(new, column=(assign_table if table else assign_column)(new.name, taken))

    def write(self) -> list[DocumentRow]:
        rows = [self.document(f"doc-{self.random.randint(1, 12)}") for _ in range(self.random.randint(1, 4))]
        self.documents |= {row.document_id: row for row in rows}
        return rows

    def document(self, document_id: str) -> DocumentRow:
        scalars = [spec for spec in self.fields if spec.type is not FieldType.TABLE]
        tables = {
            spec.id: [
                {column.id: self.value(column.type) for column in spec.columns}
                for _ in range(self.random.randint(0, 3))
            ]
            for spec in self.fields
            if spec.type is FieldType.TABLE
        }
        evidence = [EvidenceRow(spec.id, page=1, text=self.name()) for spec in scalars]
        for key, rows in tables.items():
            evidence += [EvidenceRow(key, cell, at) for at, row in enumerate(rows, 1) for cell in row]
        values = {spec.id: self.value(spec.type) for spec in scalars}
        return DocumentRow(document_id, values=values, tables=tables, evidence=evidence)

    def value(self, kind: FieldType) -> Any:
        values: dict[FieldType, list[Any]] = {
            FieldType.NUMBER: [1, 2.5, 1e40],
            FieldType.CURRENCY: [0.00345, -7],
            FieldType.DATE: ["2026-01-31", "nonsense"],
            FieldType.BOOLEAN: [True, False],
            FieldType.LIST: [["a", "b"], []],
        }
        return self.random.choice([*values.get(kind, ["12.50", "Größe", "2026-01-31", "true"]), None])

    def id(self, kind: str) -> str:
        self.made += 1
        return f"{kind}_{self.made}"

    def name(self) -> str:
        return self.random.choice(
            ["Total", "total!", "Status", "Größe", "select", "it's", "Documents", "Row number"]
        )


def history(seed: int, steps: int, warehouse: Warehouse) -> Catalog:
    catalog = Catalog(random.Random(seed))
    for _ in range(steps):
        upserts, deletes = catalog.step()
        if warehouse.apply(catalog.schema, upserts, deletes).needs_rebuild:
            warehouse.replace(catalog.schema, [[*catalog.documents.values()]])
    return catalog


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.extended) for seed in range(2, 8))]
)
def test_after_any_history_a_rebuild_gives_the_same(warehouse: Warehouse, seed: int) -> None:
    catalog = history(seed, 25, warehouse)
    before = contents(warehouse)

    def batches() -> Iterator[list[DocumentRow]]:
        for document in catalog.documents.values():
            yield [document]

    done = warehouse.rebuild([(catalog.schema, batches())])
    assert done["parser"].documents == len(catalog.documents)
    assert contents(warehouse) == before
