"""Thumbnails, samples and learned layouts share the side workers of their process."""

from __future__ import annotations

import threading
import time

from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.jobs.page_job import PAGE_VIEW
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.previews.field_suggestions import read_sample, sample_of
from docduck.service.previews.page_views import WIDTHS, page_picture
from docduck.service.previews.thumbnails import thumbnail
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.workers.pool import WorkerPool
from tests.service.core.documents import add, make_parser
from tests.workers.processes import workers


def test_pictures_have_a_worker_and_all_else_takes_turns_at_another(inst: Installation) -> None:
    parser = make_parser(inst)
    ids = add(inst, parser, 2)
    process_queue(inst, RunOptions(idle_seconds=0))
    set_values(inst, inst.team_id, parser.id, ids[0], {"Number": "7"})
    sample = sample_of(inst, inst.team_id, parser.id, ids[1])
    before = workers()
    work = [
        lambda: thumbnail(inst, ids[0]),
        lambda: read_sample(inst, inst.team_id, parser.id, sample),
        lambda: process_pending(inst),
    ]
    done: list[object] = []
    threads = [threading.Thread(target=lambda one=one: done.append(one())) for one in work]
    for thread in threads:
        thread.start()
    most = 0
    while any(thread.is_alive() for thread in threads):
        most = max(most, workers() - before)
        time.sleep(0.005)
    assert len(done) == 3
    assert most <= 2
    inst.side_workers.close()
    inst.picture_workers.close()
    assert workers() == before


def test_pictures_are_drawn_while_a_sample_is_read(inst: Installation) -> None:
    parser = make_parser(inst)
    (document_id,) = add(inst, parser)
    with inst.side_workers.pool(
        "samples", "other team", lambda: WorkerPool(PAGE_VIEW, 1, worker_limits(inst.settings))
    ):
        assert thumbnail(inst, document_id)
        assert page_picture(inst, inst.team_id, document_id, 1, WIDTHS[0])
