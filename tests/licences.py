"""The licences of all packages that users install; ``python -m tests.licences`` checks them."""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

EXTRAS = ("postgres", "redis", "traces", "model", "fit")
"""The extras of docduck that users install; ``dev`` is not among them."""

COPYLEFT = re.compile(
    r"\b[AL]?GPL|general public|lesser public|library public|SSPL|commons clause", re.IGNORECASE
)

ALLOWED = {
    "pi-heif": "BSD itself; libheif and libde265 (LGPL) are separate shared libraries in its wheel",
    "psycopg2-binary": "LGPL with exceptions; only with the extra postgres, which dagster-postgres needs",
}
"""Packages with such a licence that are accepted all the same, with the reason."""


def installed(name: str, extras: tuple[str, ...] = ()) -> set[str]:
    """Return the names of all packages that installing ``name`` with ``extras`` brings, itself included."""
    found: set[str] = set()
    pending = [(name, extras)]
    while pending:
        one, wanted = pending.pop()
        try:
            required = distribution(one).requires or []
        except PackageNotFoundError:
            continue
        found.add(canonicalize_name(one))
        for requirement in map(Requirement, required):
            marker = requirement.marker
            if marker and not any(marker.evaluate({"extra": extra}) for extra in ("", *wanted)):
                continue
            if canonicalize_name(requirement.name) not in found:
                pending.append((requirement.name, tuple(requirement.extras)))
    return found


def licence(name: str) -> str:
    """Return what a package's metadata says of its licence; empty if nothing."""
    metadata = distribution(name).metadata
    classifiers = [one for one in metadata.get_all("Classifier") or [] if one.startswith("License ::")]
    stated = [one for key in ("License-Expression", "License") for one in metadata.get_all(key) or []]
    named = (
        stated
        if "License-Expression" in metadata
        else [one.split(" :: ")[-1] for one in classifiers] or stated
    )
    return "; ".join(one.strip().split("\n")[0] for one in named)


def problems() -> list[str]:
    """Return a line for each package whose licence is unknown or not allowed."""
    lines = []
    for name in sorted(installed("docduck", EXTRAS) - ALLOWED.keys()):
        text = licence(name)
        if not text:
            lines.append(f"{name}: its metadata names no licence")
        elif COPYLEFT.search(text):
            lines.append(f"{name}: {text}")
    return lines


if __name__ == "__main__":
    sys.exit("\n".join(problems()) or None)
