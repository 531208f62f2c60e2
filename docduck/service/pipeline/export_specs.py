"""The exports and export layouts in pipeline.yaml."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from docduck.errors import InputError
from docduck.exports.file_names import check_pattern, is_dated
from docduck.exports.model import Format, Scope
from docduck.outbound.bucket_endpoint import check_bucket
from docduck.service.pipeline.cron import check_cron
from docduck.service.pipeline.spec import BucketPlace, FilePath, Spec
from docduck.service.schemas.export_layouts import FormatName, LayoutColumn, LayoutProperties, TableName


def _column(value: Any) -> Any:
    """Return a column of a layout, which is in the file also the field's name alone."""
    return {"field": value} if isinstance(value, str) else value


class LayoutSpec(LayoutProperties, Spec):
    """A saved export layout of a parser."""

    name: str
    format: FormatName
    table_name: TableName = Field(None, alias="table")
    columns: list[Annotated[LayoutColumn, BeforeValidator(_column)]] | None = None


class ExportSpec(BucketPlace):
    """An automatic export: by ``schedule`` or after each run.

    It has a ``format`` or a saved ``layout``. With ``only_new``, each file has the documents that none before
    had. ``file`` is a pattern of names. Files go to a ``folder``, or to a ``bucket``.
    """

    name: str
    parser: str
    format: Format | None = None
    scope: Scope | None = None
    table: str | None = None
    layout: str | None = None
    filters: tuple[dict[str, Any], ...] = ()
    only_new: bool = False
    folder: FilePath | None = None
    bucket: str | None = None
    file: str | None = None
    schedule: str | None = None
    after: Literal["each run"] | None = None

    @field_validator("schedule")
    @classmethod
    def _cron(cls, line: str | None) -> str | None:
        return None if line is None else check_cron(line)

    @field_validator("file")
    @classmethod
    def _pattern(cls, pattern: str | None) -> str | None:
        try:
            return None if pattern is None else check_pattern(pattern)
        except InputError as error:
            raise ValueError(error.message) from error

    @model_validator(mode="after")
    def _consistent(self) -> ExportSpec:
        if (self.format is None) == (self.layout is None):
            raise ValueError("needs either format or layout")
        if self.layout is not None and (self.scope or self.table):
            raise ValueError("leave out scope and table: the layout has its own")
        if self.only_new and self.file is not None and not is_dated(self.file):
            raise ValueError("only_new needs {date} or {time} in file, as each file has other documents")
        if (self.schedule is None) == (self.after is None):
            raise ValueError('needs either schedule, a cron line, or "after: each run"')
        if self.scope == "table" and self.table is None:
            raise ValueError("scope: table needs table, the name of the table field")
        if self.bucket is None:
            if keys := self.model_fields_set & BucketPlace.model_fields.keys():
                raise ValueError(f"{sorted(keys)[0]} is for a bucket only")
            return self
        if self.folder is not None:
            raise ValueError("needs either folder or bucket")
        try:
            check_bucket(self.endpoint_of(self.bucket))
        except InputError as error:
            raise ValueError(f"bucket {error.message}") from error
        return self

    @property
    def after_each_run(self) -> bool:
        """Whether it is written after each run of its parser."""
        return self.after is not None
