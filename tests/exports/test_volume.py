from __future__ import annotations

import tempfile
import tracemalloc
from collections.abc import Iterator

import pytest

from docduck.exports import ExportDocument, Written, resolve, write
from docduck.fields import Field, FieldType
from tests.exports.reading import document, table

FIELDS = [
    Field(name="Number"),
    Field(name="Date", type=FieldType.DATE),
    table("Items", Field(name="Description"), Field(name="Price", type=FieldType.CURRENCY)),
]


def documents(count: int) -> Iterator[ExportDocument]:
    for number in range(count):
        items = [{"Description": f"Posten {row} " * 120, "Price": 1.5 * row} for row in range(3)]
        yield document(number, {"Number": f"R-{number}", "Date": "2024-01-31", "Items": items})


@pytest.mark.extended
@pytest.mark.parametrize("scope", [None, "all_sheets"])
@pytest.mark.parametrize("format", ["json", "xml", "csv", "xlsx", "parquet"])
def test_memory_does_not_grow_with_the_documents(format: str, scope: str | None) -> None:
    with tempfile.TemporaryFile() as target:
        write(target, documents(10), resolve(format, scope, None, FIELDS))
        target.seek(0)
        tracemalloc.start()
        try:
            written = write(target, documents(4_000), resolve(format, scope, None, FIELDS))
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert written.document_count == 4_000
    assert peak < (15 << 20 if format == "parquet" else 5 << 20)


def test_documents_are_read_once_as_they_come() -> None:
    taken = 0

    def counted() -> Iterator[ExportDocument]:
        nonlocal taken
        for one in documents(50):
            taken += 1
            yield one

    with tempfile.TemporaryFile() as target:
        assert write(target, counted(), resolve("xlsx", None, None, FIELDS)) == Written(50, 200)
    assert taken == 50
