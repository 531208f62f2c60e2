"""JSON files of options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docduck.api.request.strict_json import parse_json
from docduck.errors import InputError


def read_json(option: str, path: Path) -> Any:
    """Return the file's value; raise InputError with the option, the file and the place in it."""
    try:
        return parse_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"{option} {path}: {error.strerror}") from error
    except InputError as error:
        raise InputError(f"{option} {path}: {error.message}", error.path) from error
