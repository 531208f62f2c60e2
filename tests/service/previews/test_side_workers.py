"""Thumbnails, samples and learned layouts share the side workers of their process."""

from __future__ import annotations

import threading
import time

from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.previews.field_suggestions import FieldSuggestions
from docduck.service.previews.thumbnails import Thumbnails
from docduck.service.processing.processing import process_queue
from tests.service.core.documents import add, make_parser
from tests.workers.processes import workers


def test_all_that_the_api_does_in_workers_takes_turns_at_one(inst: Installation) -> None:
    parser = make_parser(inst)
    ids = add(inst, parser, 2)
    process_queue(inst, idle_seconds=0)
    set_values(inst, inst.team_id, parser.id, ids[0], {"Number": "7"})
    before = workers()
    work = [
        lambda: Thumbnails(inst).get(ids[0]),
        lambda: FieldSuggestions(inst).from_document(inst.team_id, parser.id, ids[1]),
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
    assert most == 1
    inst.side_workers.close()
    assert workers() == before
