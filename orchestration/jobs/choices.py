"""What the launchpad offers: values to choose from, and a configuration for each parser."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

from dagster import PartitionedConfig, StaticPartitionsDefinition

from docduck.exports import Format, Scope
from docduck.statuses import FINAL, Status


def _by_value(name: str, members: Sequence[StrEnum]) -> type[StrEnum]:
    """Return an enumeration whose names are its values: Dagster takes and offers names."""
    return cast("type[StrEnum]", StrEnum(name, [(member.value, member.value) for member in members]))


if TYPE_CHECKING:
    FormatChoice = Format
    ScopeChoice = Scope
    StatusChoice = Status
else:
    FormatChoice = _by_value("FormatChoice", list(Format))
    ScopeChoice = _by_value("ScopeChoice", list(Scope))
    StatusChoice = _by_value("StatusChoice", FINAL)


def for_each_parser(op_name: str, slugs: Sequence[str], **config: Any) -> PartitionedConfig[Any]:
    """Return the configurations of an op for parsers, which the launchpad lists as a job's partitions.

    A run of the job may have another one; a backfill runs it for several parsers.
    """
    return PartitionedConfig(
        StaticPartitionsDefinition(sorted(slugs)),
        run_config_for_partition_key_fn=lambda slug: {
            "ops": {op_name: {"config": {"parser": slug, **config}}}
        },
    )
