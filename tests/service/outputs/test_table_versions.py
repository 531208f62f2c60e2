"""The versions of tables change with their rows and columns, and with nothing else."""

from __future__ import annotations

from collections.abc import Callable

from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.document_changes import update_document
from docduck.service.folders.folder_changes import create_folder, update_folder
from docduck.service.outputs.table_versions import table_versions
from docduck.service.outputs.warehouse_sync import rebuild, rebuild_tables, sync_warehouse
from docduck.service.parsers.field_editing import update_field
from docduck.service.parsers.parsers import delete_parser
from tests.service.core.documents import add, complete, correct, make_parser


def test_each_change_of_a_table_is_a_new_version(any_inst: Installation) -> None:
    inst, parser, other = any_inst, make_parser(any_inst), make_parser(any_inst, "Others")
    sync_warehouse(inst)
    assert table_versions(inst) == {}, "new tables without rows"
    folder = create_folder(inst, inst.team_id, parser.id, {"name": "Bills"})
    one, two, queued = add(inst, parser, 3)

    def is_new(change: Callable[[], object]) -> bool:
        before = table_versions(inst)
        change()
        sync_warehouse(inst)
        after = table_versions(inst)
        assert other.id not in after
        return after != before

    assert is_new(lambda: complete(inst, parser, limit=2))
    assert not is_new(lambda: None)
    assert not is_new(lambda: delete_documents(inst, inst.team_id, [queued])), "it had no rows"
    assert is_new(lambda: correct(inst, inst.team_id, one, {"Total": 7}))
    assert is_new(lambda: update_document(inst, inst.team_id, parser.id, one, {"folder_id": folder.id}))
    assert is_new(lambda: update_folder(inst, inst.team_id, parser.id, folder.id, {"name": "Old bills"}))
    assert is_new(lambda: update_field(inst, inst.team_id, parser.id, "Tags", {"name": "Labels"}))
    assert is_new(lambda: update_field(inst, inst.team_id, parser.id, "Total", {"type": "text"}))
    assert is_new(lambda: delete_documents(inst, inst.team_id, [two]))
    assert is_new(lambda: rebuild(inst))
    assert is_new(lambda: rebuild_tables(inst, [parser]))
    assert is_new(lambda: delete_parser(inst, inst.team_id, parser.id))
    assert table_versions(inst) == {}
