"""Sample documents of invented companies with their true values; the same bytes on every run.

python -m tools.samples DIR      write all of them to DIR, and truth.json beside them
python -m tools.samples --ship   renew the handful in docduck/samples
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
        path = directory / load(draft.template).slug / draft.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(draft.render())
        samples.append(
            Sample(draft.id, draft.template, path, draft.truth, draft.language, draft.notes, draft.kind)
        )
    return samples


def ship(directory: Path = SHIPPED) -> list[Path]:
    """Write the installed samples to ``directory``/<parser slug>/<file>."""
    paths = []
    for draft in drafts():
        if draft.shipped:
            path = directory / load(draft.template).slug / draft.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(draft.render())
            paths.append(path)
    return paths
