"""The exports of this machine's installation, and their layouts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from docduck.service.core.installation import Installation
from docduck.service.core.schema import Values
from docduck.service.outputs.export_layouts import (
    LayoutView,
    delete_layout,
    get_layout,
    list_layouts,
    put_layout,
)
from docduck.service.outputs.exporting import ExportRequest
from docduck.service.outputs.folder_exports import ExportView, export_to_folder

_ACTOR = "cli"


class LocalExports:
    """An ExportBackend over an open installation."""

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._team = inst.team_id

    def write(
        self, parser: str, request: ExportRequest, folder: Path | None, file: str | None, only_new: str | None
    ) -> ExportView:
        return export_to_folder(
            self._inst,
            self._team,
            parser,
            request,
            folder=folder,
            file=file,
            increment=only_new,
            actor=_ACTOR,
        )

    def layouts(self, parser: str) -> Sequence[LayoutView]:
        return list_layouts(self._inst, self._team, parser)

    def layout(self, parser: str, ref: str) -> LayoutView:
        return get_layout(self._inst, self._team, parser, ref)

    def put_layout(self, parser: str, new: Values) -> LayoutView:
        return put_layout(self._inst, self._team, parser, new, _ACTOR)

    def delete_layout(self, parser: str, ref: str) -> None:
        delete_layout(self._inst, self._team, parser, ref, _ACTOR)
