"""The ids in a path: UUIDs, or the slugs of parsers and classifiers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool

from docduck.catalog.models import Classifier, Parser
from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.service.core.installation import Installation
from docduck.service.core.named_rows import id_of_slug

_BY_NAME = {"fieldId"}
"""Path parameters that are not UUIDs: fields are addressed by name or id."""

_BY_SLUG: Mapping[str, Any] = {"parserId": Parser, "classifierId": Classifier}
"""Path parameters that may be slugs, too."""


async def resolved_ids(inst: Installation, team_id: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return a path's parameters, with ids in lower case and slugs replaced by ids.

    Raise InputError for what is neither a UUID nor a slug in the team.
    """
    resolved = dict(params)
    for name, value in params.items():
        if not name.endswith("Id") or name in _BY_NAME:
            continue
        check_no_nul(name, value)
        if is_uuid(value):
            resolved[name] = value.lower()
            continue
        table = _BY_SLUG.get(name)
        known = await run_in_threadpool(id_of_slug, inst, table, team_id, value) if table else None
        if known is None:
            raise InputError(f"Invalid {name}", name, code="invalid_id")
        resolved[name] = known
    return resolved


def check_no_nul(name: str, text: str) -> None:
    """Raise InputError for a NUL character, which databases don't accept."""
    if "\0" in text:
        raise InputError(f"{name} must not hold a NUL character", name)
