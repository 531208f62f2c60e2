"""Application of a parser's export layouts in pipeline.yaml."""

from __future__ import annotations

from docduck.errors import InputError
from docduck.located_yaml import path_in_file
from docduck.service.core.installation import Installation
from docduck.service.outputs.export_layouts import list_layouts, put_layout
from docduck.service.pipeline.pipeline_spec import ParserSpec

_KEYS = {"tableName": "table"}


def apply_layouts(inst: Installation, team_id: str, spec: ParserSpec) -> list[str]:
    """Create missing layouts and replace those that differ; return messages about the changes.

    Layouts that are missing in the file are left alone. Raise InputError with the path of the error.
    """
    if not spec.layouts:
        return []
    before = {layout.name: layout for layout in list_layouts(inst, team_id, spec.key)}
    done: list[str] = []
    for index, layout in enumerate(spec.layouts):
        try:
            after = put_layout(inst, team_id, spec.key, dict(layout))
        except InputError as error:
            path = path_in_file(_KEYS.get(error.path or "", error.path))
            raise InputError(error.message, f"layouts[{index}].{path}".rstrip(".")) from error
        if before.get(after.name) != after:
            done.append(f"{spec.key}: export layout '{after.name}' {_word(after.name in before)}")
    return done


def _word(existed: bool) -> str:
    return "changed" if existed else "created"
