"""Public functions that users call have an example in their docstring, and its code is valid."""

from __future__ import annotations

import ast
from typing import Any

import pytest

import docduck
from docduck import client
from docduck.client.documents import DocumentSets
from docduck.client.exports import ExportFiles
from docduck.client.processing import Processing
from docduck.extraction.result import Extraction
from docduck.warehouse.frames import PublishedTable
from docduck.warehouse.warehouse_file import WarehouseFile

PUBLIC = (
    docduck.connect,
    docduck.extract,
    Extraction.frame,
    client,
    client.Client,
    client.AsyncClient,
    Processing.files,
    Processing.urls,
    Processing.wait,
    DocumentSets.bulk_update,
    DocumentSets.delete,
    DocumentSets.to_polars,
    ExportFiles.create,
    WarehouseFile.query,
    WarehouseFile.frame,
    PublishedTable,
)


@pytest.mark.parametrize("public", PUBLIC, ids=lambda public: getattr(public, "__name__", "method"))
def test_what_users_call_has_an_example(public: Any) -> None:
    lines = (public.__doc__ or "").split("\n")
    margin = len(lines[-1])
    code = [line for line in lines[1:] if line.startswith(" " * (margin + 4))]
    assert code, public.__doc__
    ast.parse("\n".join(["async def example():", *(line[margin:] for line in code)]))
