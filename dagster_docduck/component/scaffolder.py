"""What ``dg scaffold defs dagster_docduck.DocduckComponent`` asks for, and writes."""

from __future__ import annotations

from typing import Any

from dagster.components import Scaffolder, ScaffoldRequest, scaffold_component
from pydantic import BaseModel, Field, field_validator

from docduck import templates


class ScaffoldParams(BaseModel):
    """The first parser of a project, and the folder that its documents come from."""

    template: str = Field(default="invoice", description="The template of the first parser")
    folder: str | None = Field(
        default=None, description="A folder whose files the parser reads, beside the inbox"
    )
    home: str = Field(default="data", description="The folder of docduck's state, relative to the project")

    @field_validator("template")
    @classmethod
    def _known(cls, template: str) -> str:
        templates.load(template)
        return template


class DocduckScaffolder(Scaffolder[ScaffoldParams]):
    """Write a defs.yaml with one parser, and a source if there is a folder."""

    @classmethod
    def get_scaffold_params(cls) -> type[ScaffoldParams]:
        """The options of the command."""
        return ScaffoldParams

    def scaffold(self, request: ScaffoldRequest[ScaffoldParams]) -> None:
        """Write the file."""
        params = request.params
        attributes: dict[str, Any] = {"home": params.home, "parsers": [{"template": params.template}]}
        if params.folder is not None:
            parser = templates.load(params.template).slug
            attributes["sources"] = [{"name": "documents", "folder": params.folder, "parser": parser}]
        scaffold_component(request, attributes)
