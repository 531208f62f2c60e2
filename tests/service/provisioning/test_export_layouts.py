"""Export layouts in pipeline.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.outputs.export_layouts import create_layout, list_layouts
from docduck.service.schemas.export_layouts import LayoutColumnView
from tests.service.provisioning.test_pipeline import apply

NOTES = """parsers:
- name: Notes
  fields: [{name: Number}, {name: Lines, type: table, columns: [{name: Amount, type: currency}]}]
  layouts:
  - {name: Books, format: csv, scope: table, columns: [Number, {field: Lines.Amount, header: Sum}]}
"""


def test_layouts_are_created_changed_and_left(inst: Installation, tmp_path: Path) -> None:
    assert apply(inst, tmp_path / "pipeline.yaml", NOTES)[-1] == "notes: export layout 'Books' created"
    assert apply(inst, tmp_path / "pipeline.yaml", NOTES) == ["nothing to change"]
    (layout,) = list_layouts(inst, inst.team_id, "notes")
    assert layout.columns == (LayoutColumnView("Number", None), LayoutColumnView("Lines.Amount", "Sum"))
    create_layout(inst, inst.team_id, "notes", {"name": "mine", "format": "json"})
    changed = apply(inst, tmp_path / "pipeline.yaml", NOTES.replace("header: Sum", "header: Total"))
    assert changed == ["notes: export layout 'Books' changed"]
    assert [one.name for one in list_layouts(inst, inst.team_id, "notes")] == ["Books", "mine"]


def test_an_error_names_its_place(inst: Installation, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        apply(inst, tmp_path / "pipeline.yaml", NOTES.replace("Lines.Amount", "Lines.Price"))
    assert caught.value.message == (
        "pipeline.yaml:5: parsers[0].layouts[0].columns[1].field: Unknown field: Lines.Price"
    )
