"""The component that puts docduck into a project: its parsers, sources and exports as assets."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Self

from dagster import AssetSpec, ComponentLoadContext, Definitions, Resolvable
from dagster.components import (
    DefsStateConfig,
    DefsStateConfigArgs,
    ResolvedDefsStateConfig,
    StateBackedComponent,
    scaffold_with,
)
from dagster.components.utils.translation import TranslationFn, TranslationFnResolver

from dagster_docduck.assets.classifiers import CLASSIFIERS, ClassifierRoutes
from dagster_docduck.assets.parser_tables import ParserTables, first_days
from dagster_docduck.component.definitions import project_definitions
from dagster_docduck.component.scaffolder import DocduckScaffolder
from dagster_docduck.resources.installation import installation_of
from docduck.errors import InputError
from docduck.service.classifiers.classifier_listing import list_classifiers
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import list_parsers, team_slugs
from docduck.service.pipeline.pipeline_spec import Pipeline, pipeline_of
from docduck.service.provisioning.pipeline import apply_pipeline
from docduck.service.runs.processing_runs import EXPORTS, SOURCES
from docduck.service.sources.sources import ensure_inbox

Translation = Annotated[
    TranslationFn[Mapping[str, str]] | None,
    TranslationFnResolver[Mapping[str, str]](lambda variables: variables),
]
"""Attributes of assets; templates in them may have ``kind``, ``parser``, ``name`` and ``spec``."""


@scaffold_with(DocduckScaffolder)
@dataclass
class DocduckComponent(StateBackedComponent, Resolvable):
    """docduck in a Dagster project: documents from folders become tables, and files.

    ``parsers``, ``classifiers``, ``sources`` and ``exports`` have the keys of docduck's pipeline.yaml.
    ``home`` is the folder of all of docduck's state; it and other paths are relative to the project.
    ``key_prefix``, ``group_name`` and ``translation`` change the assets' keys, groups and other attributes.
    Refreshing the component's state creates the home, and creates and changes parsers as they are written
    here.
    """

    home: str = "data"
    parsers: list[dict[str, Any]] = field(default_factory=list)
    classifiers: list[dict[str, Any]] = field(default_factory=list)
    sources: list[dict[str, Any]] = field(default_factory=list)
    exports: list[dict[str, Any]] = field(default_factory=list)
    key_prefix: str | list[str] | None = None
    group_name: str | None = None
    translation: Translation = None
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
        inst = self.installation
        apply_pipeline(inst, inst.team_id, self._pipeline())
        ensure_inbox(inst)
        teams = team_slugs(inst)
        parsers = [parser for parser in list_parsers(inst, inst.team_id) if not parser.problem]
        state = {
            "parsers": [ParserTables.of(parser, teams[parser.team_id]).as_json() for parser in parsers],
            "classifiers": [
                asdict(ClassifierRoutes.of(classifier)) for classifier in list_classifiers(inst, inst.team_id)
            ],
        }
        state_path.parent.mkdir(parents=True, exist_ok=True)
        state_path.write_text(json.dumps(state, ensure_ascii=False, indent=1), encoding="utf-8")

    def build_defs_from_state(self, context: ComponentLoadContext, state_path: Path | None) -> Definitions:
        """Return the assets, their triggers and resources; none before the state was first written."""
        if state_path is None:
            return Definitions()
        state = json.loads(state_path.read_text(encoding="utf-8"))
        plain = project_definitions(state, self._pipeline(), self._home)
        if not (self.key_prefix or self.group_name or self.translation):
            return plain
        specs = [spec for asset in plain.assets or () for spec in _specs(asset)]
        translated = {spec.key: self._translated(spec) for spec in specs}
        return project_definitions(state, self._pipeline(), self._home, translated)

    def _translated(self, spec: AssetSpec) -> AssetSpec:
        """Return what the project wants an asset to be, by its key and its attributes."""
        first, *_, last = spec.key.path
        kinds = {SOURCES: "source", CLASSIFIERS: "classifier", EXPORTS: "export"}
        spec = spec.replace_attributes(group_name=self.group_name or spec.group_name)
        if self.key_prefix:
            spec = spec.replace_attributes(key=spec.key.with_prefix(self.key_prefix))
        if self.translation is None:
            return spec
        kind = kinds.get(first, "table")
        return self.translation(
            spec, {"kind": kind, "parser": first if kind == "table" else "", "name": last}
        )

    @property
    def installation(self) -> Installation:
        """docduck's installation, which is made if there is none."""
        return installation_of(self._home)

    @property
    def _home(self) -> Path:
        return (self._root / self.home).absolute()

    def _pipeline(self) -> Pipeline:
        content = {
            "parsers": self.parsers,
            "classifiers": self.classifiers,
            "sources": self.sources,
            "exports": self.exports,
        }
        pipeline = pipeline_of(content, "defs.yaml", self._root.absolute())
        if days := first_days(pipeline):
            raise InputError(
                f"parsers: leave out partitionsFrom of {', '.join(days)}; only `docduck up` has partitions"
            )
        return pipeline


def _specs(asset: Any) -> Iterable[AssetSpec]:
    return [asset] if isinstance(asset, AssetSpec) else asset.specs
