"""What Dagster was told of the tables: the version of a table is the data version of its materialisation.

Dagster's own history decides what is still to be told, whoever wrote the rows, and also if the run that
should have told was killed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dagster import AssetKey, DagsterInstance, DataVersion

from dagster_docduck.assets.names import OWN_NAMES, Names
from dagster_docduck.assets.parser_tables import ParserTables
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.core.pages import chunks
from docduck.service.parsers.parsers import ParserView, parsers_with_ids, team_slugs

DATA_VERSION = "dagster/data_version"
"""The tag of a materialisation with its data version."""


@dataclass(frozen=True, slots=True)
class UntoldTables:
    """A parser whose tables ``keys`` have another version than their last materialisations.

    ``since`` is the version before, None if one of the tables has no materialisation with a version.
    """

    parser: ParserView
    tables: ParserTables
    version: DataVersion
    keys: Collection[AssetKey]
    since: dt.datetime | None


def data_version(at: dt.datetime | None) -> DataVersion | None:
    """Return the data version of tables that were last written as of ``at``; None if they never were."""
    return None if at is None else DataVersion(at.astimezone(dt.UTC).isoformat())


def untold_tables(
    inst: Installation,
    instance: DagsterInstance,
    versions: Mapping[str, dt.datetime],
    names: Names = OWN_NAMES,
) -> Iterator[UntoldTables]:
    """Yield the parsers with tables whose last materialisation has another version than ``versions`` say.

    ``versions`` are as ``table_versions`` returns them. Parsers that can't be used are left out.
    """
    parsers = list(_parsers(inst, versions, names))
    told = _told(instance, [key for _, tables in parsers for key in tables.keys])
    for parser, tables in parsers:
        version = data_version(versions[parser.id])
        assert version is not None
        keys = [key for key in tables.keys if told.get(key) != version.value]
        if keys:
            yield UntoldTables(parser, tables, version, keys, _oldest([told.get(key) for key in keys]))


def _parsers(
    inst: Installation, ids: Collection[str], names: Names
) -> Iterator[tuple[ParserView, ParserTables]]:
    teams = team_slugs(inst) if ids else {}
    for parser in parsers_with_ids(inst, ids):
        if parser.problem:
            continue
        try:
            yield parser, replace(ParserTables.of(parser, teams[parser.team_id]), names=names)
        except InputError:
            continue


def _told(instance: DagsterInstance, keys: Sequence[AssetKey]) -> dict[AssetKey, str | None]:
    """Return the data versions of the last materialisations."""
    versions: dict[AssetKey, str | None] = {}
    for some in chunks(keys):
        for record in instance.get_asset_records(some):
            event = record.asset_entry.last_materialization
            materialisation = None if event is None else event.asset_materialization
            if materialisation is not None:
                versions[record.asset_entry.asset_key] = (materialisation.tags or {}).get(DATA_VERSION)
    return versions


def _oldest(versions: Sequence[str | None]) -> dt.datetime | None:
    moments = []
    for version in versions:
        try:
            moments.append(dt.datetime.fromisoformat(version or ""))
        except ValueError:
            # Told by Dagster itself, or by an earlier docduck.
            return None
    return min(moments)
