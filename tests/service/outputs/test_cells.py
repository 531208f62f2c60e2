"""Each format in each scope by the service, read back."""

from __future__ import annotations

import pytest

from docduck.service.core.installation import Installation
from docduck.service.outputs.exporting import ExportRequest
from docduck.service.outputs.folder_exports import export_to_folder
from tests.exports.cells import CELLS, read_cell
from tests.service.outputs.world import expected, make_world


def test_every_cell_by_the_service(any_inst: Installation) -> None:
    parser, ids = make_world(any_inst)
    for format, scope in CELLS:
        table = "Line Items" if scope == "table" else None
        view = export_to_folder(any_inst, parser.team_id, parser.id, ExportRequest(format, scope, table))
        assert view.path is not None
        found = read_cell(format, scope, view.path.read_bytes())
        assert found == expected(format, scope, ids), (format, scope)


@pytest.mark.parametrize("format", ["csv", "xlsx", "parquet", "xml", "json"])
def test_two_tables_need_a_name(inst: Installation, format: str) -> None:
    parser, _ = make_world(inst)
    with pytest.raises(Exception, match="tableName is required, as the parser has 2 tables"):
        export_to_folder(inst, parser.team_id, parser.id, ExportRequest(format, "table"))
