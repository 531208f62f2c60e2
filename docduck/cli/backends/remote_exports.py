"""The exports of a server, written to files here, and their layouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from docduck import clock
from docduck.cli.backends.remote_views import layout_view
from docduck.client import Client
from docduck.client.exports import ExportFile
from docduck.errors import InputError, NotFound
from docduck.exports import ExportPlan, resolve
from docduck.exports.file_names import DEFAULT, check_pattern, file_name, is_dated, place
from docduck.service.core.schema import Values
from docduck.service.outputs.export_layouts import LayoutView
from docduck.service.outputs.exporting import ExportRequest
from docduck.service.outputs.folder_exports import ExportView, check_increment
from docduck.service.parsers.parsers import ParserView


class RemoteExports:
    """An ExportBackend over a client; ``parser`` returns a parser given by slug, name or id."""

    def __init__(self, client: Client, parser: Callable[[str], ParserView]) -> None:
        self._client = client
        self._parser = parser

    def write(
        self, parser: str, request: ExportRequest, folder: Path | None, file: str | None, only_new: str | None
    ) -> ExportView:
        pattern = check_pattern(file or DEFAULT)
        if only_new is not None:
            check_increment(pattern)
        found = self._parser(parser)
        layout = None if request.layout is None else self._layout(found.id, request.layout)
        shape = layout or request
        plan = resolve(shape.format, shape.scope, shape.table_name, found.fields)
        folder = folder or Path()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            part = TemporaryDirectory(dir=folder, prefix=".export-")
        except OSError as error:
            raise InputError(f"Can't write to {folder}: {error.strerror}", "folder") from error
        saved = Path(part.name, "export")
        with part:
            made = self._client.exports.create(
                found.id,
                format=request.format,
                scope=request.scope,
                table_name=request.table_name,
                layout_id=layout.id if layout else None,
                document_ids=request.selection.document_ids,
                external_ids=request.selection.external_ids,
                filters=request.selection.filters,
                only_new=only_new,
                to=saved,
            )
            if only_new is not None and not made.document_count:
                return _view(made, plan, None)
            called = file_name(
                pattern,
                plan.extension,
                clock.now(),
                parser=found.slug,
                export=only_new or found.slug,
                format=plan.format,
            )
            path = place(saved, folder / called) if is_dated(pattern) else saved.replace(folder / called)
        return _view(made, plan, path)

    def layouts(self, parser: str) -> Sequence[LayoutView]:
        return self._layouts(self._parser(parser).id)

    def layout(self, parser: str, ref: str) -> LayoutView:
        return self._layout(self._parser(parser).id, ref)

    def put_layout(self, parser: str, new: Values) -> LayoutView:
        parser_id, name = self._parser(parser).id, new["name"].strip()
        columns = new.get("columns")
        values: dict[str, Any] = {
            "format": new["format"],
            "scope": new.get("scope"),
            "table_name": new.get("table_name"),
            "columns": None if columns is None else [asdict(one) for one in columns],
        }
        same = [one.id for one in self._layouts(parser_id) if one.name.casefold() == name.casefold()]
        if same:
            return layout_view(self._client.exports.update_layout(parser_id, same[0], **values))
        return layout_view(self._client.exports.create_layout(parser_id, name, **values))

    def delete_layout(self, parser: str, ref: str) -> None:
        parser_id = self._parser(parser).id
        self._client.exports.delete_layout(parser_id, self._layout(parser_id, ref).id)

    def _layouts(self, parser_id: str) -> list[LayoutView]:
        return [layout_view(one) for one in self._client.exports.layouts(parser_id, limit=100)]

    def _layout(self, parser_id: str, ref: str) -> LayoutView:
        """Return the parser's layout with this name or id; raise NotFound."""
        known = self._layouts(parser_id)
        for one in (
            *(one for one in known if one.name.casefold() == ref.casefold()),
            *(one for one in known if one.id == ref),
        ):
            return one
        raise NotFound("Export layout not found", "layoutId", ref)


def _view(made: ExportFile, plan: ExportPlan, path: Path | None) -> ExportView:
    return ExportView(
        path.absolute() if path else None,
        path.name if path else None,
        made.document_count,
        made.row_count,
        plan.format,
        plan.scope,
        tuple(made.skipped),
        tuple(made.warnings),
        path.absolute().as_uri() if path else None,
    )
