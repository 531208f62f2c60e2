from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from docduck.extraction.jobs.page_job import PAGE_VIEW, PageTask
from docduck.workers.limits import Limits
from docduck.workers.pool import WorkerPool
from tools.looks.__main__ import draw


def test_a_page_is_drawn_with_its_reading(tmp_path: Path) -> None:
    path = tmp_path / "look.pdf"
    draw(path, 7, 0, truth=False)
    pictures = []
    with WorkerPool(PAGE_VIEW, 1, Limits(60, 1_500_000_000)) as pool:
        for explained in (False, True):
            pool.submit(str(explained), PageTask("look.pdf", 1, 600, explained=explained), [path])
            (outcome,) = pool.wait()
            assert outcome.result is not None, outcome.error
            pictures.append(Image.open(io.BytesIO(outcome.result.picture)))
            assert outcome.result.pages == int(explained)
    plain, drawn = pictures
    assert drawn.height > plain.height
    red = [
        count
        for count, one in drawn.getcolors(1 << 24) or ()
        if isinstance(one, tuple) and one[0] > one[1] + 90
    ]
    assert sum(red) > 100
