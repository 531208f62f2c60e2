"""The component that puts docduck into a project: its parsers, sources and exports as assets."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from dagster import ComponentLoadContext, Definitions, Resolvable
from dagster.components import (
    DefsStateConfig,
    DefsStateConfigArgs,
    ResolvedDefsStateConfig,
    StateBackedComponent,
)

from dagster_docduck.export_schedules import export_schedules
from dagster_docduck.exports import export_assets
from dagster_docduck.installation import InstallationResource, installation_of
from dagster_docduck.io_manager import DocduckIOManager
from dagster_docduck.new_documents import TableRuns, new_documents_sensors
from dagster_docduck.parser_tables import ParserTables, fresh_within
from dagster_docduck.processing import processing_asset
from dagster_docduck.sources import source_assets, source_key
from dagster_docduck.table_checks import pipeline_bounds
from dagster_docduck.upkeep import UPKEEP_SCHEDULE
from docduck.errors import InputError
from docduck.service.parsers.parsers import list_parsers, team_slugs
from docduck.service.pipeline.pipeline_spec import Pipeline, pipeline_of
from docduck.service.provisioning.pipeline import apply_pipeline
from docduck.service.sources.sources import INBOX, FolderSource, Source, ensure_inbox, source_of


@dataclass
class DocduckComponent(StateBackedComponent, Resolvable):
    """docduck in a Dagster project: documents from folders become tables, and files.

    ``parsers``, ``sources`` and ``exports`` have the keys of docduck's pipeline.yaml. ``home`` is the folder
    of all of docduck's state; it and other paths are relative to the project. Refreshing the component's
    state creates the home, and creates and changes parsers as they are written here.
    """

    home: str = "data"
    parsers: list[dict[str, Any]] = field(default_factory=list)
    sources: list[dict[str, Any]] = field(default_factory=list)
    exports: list[dict[str, Any]] = field(default_factory=list)
    defs_state: ResolvedDefsStateConfig = field(default_factory=DefsStateConfigArgs.local_filesystem)

    _root = Path()

    @classmethod
    def load(cls, attributes: Any, context: ComponentLoadContext) -> Self:
        """Return the component of a defs.yaml; raise InputError for invalid parsers, sources or exports."""
        loaded = super().load(attributes, context)
        loaded._root = context.project_root
        loaded._pipeline()
        return loaded

    @property
    def defs_state_config(self) -> DefsStateConfig:
        """The key and the place of the state."""
        return DefsStateConfig.from_args(self.defs_state, default_key=f"DocduckComponent[{self.home}]")

    def write_state_to_path(self, state_path: Path) -> None:
        """Apply the parsers to docduck's catalog and write the tables of all parsers."""
        inst = installation_of(self._home)
        apply_pipeline(inst, inst.team_id, self._pipeline())
        ensure_inbox(inst)
        teams = team_slugs(inst)
        parsers = [one for one in list_parsers(inst, inst.team_id) if not one.problem]
        tables = [ParserTables.of(one, teams[one.team_id]).as_json() for one in parsers]
        state_path.parent.mkdir(parents=True, exist_ok=True)
        state_path.write_text(json.dumps(tables, ensure_ascii=False, indent=1), encoding="utf-8")

    def build_defs_from_state(self, context: ComponentLoadContext, state_path: Path | None) -> Definitions:
        """Return the assets, their triggers and resources; none before the state was first written."""
        if state_path is None:
            return Definitions()
        parsers = [ParserTables.from_json(one) for one in json.loads(state_path.read_text(encoding="utf-8"))]
        pipeline = self._pipeline()
        sources = [FolderSource(INBOX, self._home / "inbox"), *map(source_of, pipeline.sources)]
        manager = "docduck"
        published, within = self._home / "analytics.duckdb", fresh_within(pipeline)
        tables = [
            spec.with_io_manager_key(manager)
            for parser in parsers
            for spec in parser.specs(
                published,
                [source_key(source) for source in sources if _feeds(source, parser)],
                within.get(parser.slug),
            ).values()
        ]
        ingested = source_assets(sources)
        bounds, unbound = pipeline_bounds(pipeline, parsers)
        exports, problems = export_assets(pipeline.exports, parsers)
        if unbound or problems:
            raise InputError("\n".join([*unbound, *problems]))
        processed = (
            [processing_asset("docduck_tables", tables, parsers, pipeline.exports, bounds)] if tables else []
        )
        runs = TableRuns(
            {one.id: [one.key(table.name) for table in one.tables] for one in parsers},
            {source.name: [one.id for one in parsers if _feeds(source, one)] for source in sources},
        )
        return Definitions(
            assets=[*ingested, *processed, *exports],
            sensors=new_documents_sensors(sources, runs),
            schedules=[*export_schedules(pipeline.exports, {one.key for one in exports}), UPKEEP_SCHEDULE],
            resources={
                "installation": InstallationResource(home=str(self._home)),
                manager: DocduckIOManager(home=str(self._home)),
            },
        )

    @property
    def _home(self) -> Path:
        return (self._root / self.home).absolute()

    def _pipeline(self) -> Pipeline:
        content = {"parsers": self.parsers, "sources": self.sources, "exports": self.exports}
        return pipeline_of(content, "defs.yaml", self._root.absolute())


def _feeds(source: Source, parser: ParserTables) -> bool:
    return source.parser in (None, parser.slug, parser.id, parser.name)
