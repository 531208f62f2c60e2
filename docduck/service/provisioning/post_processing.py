"""Application of a parser's lookup tables and post-processing in pipeline.yaml."""

from __future__ import annotations

from docduck.errors import InputError
from docduck.located_yaml import path_in_file
from docduck.service.core.installation import Installation
from docduck.service.parsers.lookup_tables import list_lookup_tables, put_lookup_table
from docduck.service.parsers.post_processing import get_post_processing, set_post_processing
from docduck.service.pipeline.pipeline_spec import ParserSpec


def apply_post_processing(inst: Installation, team_id: str, spec: ParserSpec) -> list[str]:
    """Store lookup tables that differ and replace steps that differ; return messages about the changes.

    Tables that are missing in the file are left alone. Raise InputError with the path of the error.
    """
    return [*_apply_tables(inst, team_id, spec), *_apply_steps(inst, team_id, spec)]


def _apply_tables(inst: Installation, team_id: str, spec: ParserSpec) -> list[str]:
    if not spec.lookup_tables:
        return []
    done: list[str] = []
    before = {table.name: table for table in list_lookup_tables(inst, team_id, spec.key)}
    for name, path in spec.lookup_tables.items():
        place = f"lookupTables.{name}"
        try:
            table = put_lookup_table(inst, team_id, spec.key, name, path.read_bytes())
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}", place) from error
        except InputError as error:
            raise InputError(f"{path}: {error.message}", place) from error
        if before.get(name) != table:
            done.append(
                f"{spec.key}: lookup table {name} has {table.rows} {'row' if table.rows == 1 else 'rows'} now"
            )
    return done


def _apply_steps(inst: Installation, team_id: str, spec: ParserSpec) -> list[str]:
    if spec.post_processing is None:
        return []
    before = get_post_processing(inst, team_id, spec.key)
    try:
        after = set_post_processing(inst, team_id, spec.key, spec.post_processing)
    except InputError as error:
        place = path_in_file(error.path).replace("steps", "postProcessing", 1)
        raise InputError(error.message, place) from error
    return (
        []
        if before == after
        else [f"{spec.key}: post-processing has {len(after)} {'step' if len(after) == 1 else 'steps'} now"]
    )
