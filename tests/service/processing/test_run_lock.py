"""The lock of runs."""

from __future__ import annotations

import threading

from docduck.service.core.installation import Installation
from docduck.service.processing.run_lock import exclusive_run, wait_for_other_run


def test_waiting_for_a_run_ends_when_it_ends(inst: Installation) -> None:
    with exclusive_run(inst) as alone:
        assert alone
        waiter = threading.Thread(target=wait_for_other_run, args=(inst,))
        waiter.start()
        waiter.join(0.3)
        assert waiter.is_alive()
    waiter.join(10)
    assert not waiter.is_alive()
