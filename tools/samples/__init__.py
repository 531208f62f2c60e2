"""Sample documents of invented companies with their true values; the same bytes on every run.

``python -m tools.samples DIR`` writes all of them to DIR, and truth.json beside them; with ``--ship``, it
renews the handful in docduck/samples.
"""

from __future__ import annotations

from pathlib import Path

from docduck.templates import load
from tools.samples.data import drafts
from tools.samples.sample import Draft, Kind, Sample

__all__ = ["Draft", "Kind", "Sample", "drafts", "generate", "ship"]

SHIPPED = Path(__file__).resolve().parents[2] / "docduck" / "samples"


def generate(directory: Path) -> list[Sample]:
    """Write every sample to ``directory``/<parser slug>/<file>, and return its truth."""
    samples = []
    for draft in drafts():
        path = _write(draft, directory)
        samples.append(
            Sample(draft.id, draft.template, path, draft.truth, draft.language, draft.notes, draft.kind)
        )
    return samples


def ship() -> list[Path]:
    """Renew the installed samples; return their paths."""
    return [_write(draft, SHIPPED) for draft in drafts() if draft.shipped]


def _write(draft: Draft, directory: Path) -> Path:
    path = directory / load(draft.template).slug / draft.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(draft.render())
    return path
