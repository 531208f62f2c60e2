from __future__ import annotations

import threading
import time

import pytest
from sqlalchemy.exc import OperationalError

from docduck.catalog.writer_queue import WriterQueue

_LONG = 30.0


def test_writers_have_their_turn_in_the_order_in_which_they_came() -> None:
    queue, order = WriterQueue(_LONG), list[int]()

    def write(number: int) -> None:
        with queue:
            order.append(number)

    threads = []
    with queue:
        for number in range(5):
            threads.append(threading.Thread(target=write, args=(number,)))
            threads[-1].start()
            while len(queue._waiting) <= number:
                time.sleep(0.001)
    with queue:
        order.append(5)
    for thread in threads:
        thread.join(_LONG)
    assert order == [0, 1, 2, 3, 4, 5], "who comes back waits for those who were there before"


def test_who_waits_too_long_is_told_and_keeps_nobody() -> None:
    queue = WriterQueue(0.01)
    told: list[OperationalError] = []

    def write() -> None:
        with pytest.raises(OperationalError, match="database is locked") as caught, queue:
            pass
        told.append(caught.value)

    with queue:
        thread = threading.Thread(target=write)
        thread.start()
        thread.join(_LONG)
    with queue:
        assert len(told) == 1
