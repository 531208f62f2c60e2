from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from docduck.errors import Transient
from docduck.extraction.extractors.model.asking import slots
from docduck.extraction.extractors.model.asking.slots import slot
from docduck.extraction.model_options import model_options
from docduck.settings import Settings
from tests.endpoint import Question, Reply, model
from tests.extraction.extractors.model.reading import Reader
from tests.extraction.extractors.model.test_reading import ROWS, long_document, reads_rows
from tests.waiting import wait_for

HOLD = """
import sys, time
from pathlib import Path
from docduck.extraction.extractors.model.asking.slots import slot
with slot(Path(sys.argv[1]), 2, time.monotonic() + 30):
    print("held", flush=True)
    time.sleep(60)
"""


TAKE_TURNS = """
import itertools, sys, threading, time
from pathlib import Path
from docduck.extraction.extractors.model.asking import slots
folder, team, threads, turns, last = Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:])
slots._ABSENT_SECONDS = 600  # on a busy machine threads wait for long
log, teams = folder / "log", [folder / "teams" / name for name in ("many", "few")]
tickets = itertools.count()

def work():
    while next(tickets) < turns:
        with slots.slot(folder, 1, time.monotonic() + 300, team):
            with log.open("a") as file:
                file.write(team + " ")
            while log.read_text().count("few") < last and not all(
                path.exists() and slots._is_locked(path) for path in teams
            ):
                time.sleep(0.01)

workers = [threading.Thread(target=work) for _ in range(threads)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
"""


def test_teams_take_turns_however_many_requests_each_has(tmp_path: Path) -> None:
    python = [sys.executable, "-c", TAKE_TURNS, str(tmp_path)]
    many = subprocess.Popen([*python, "many", "6", "18", "5"])
    log = tmp_path / "log"
    wait_for(lambda: log.exists() and "many" in log.read_text(), 120)
    few = subprocess.Popen([*python, "few", "2", "5", "5"])
    assert (many.wait(300), few.wait(300)) == (0, 0)
    turns = log.read_text().split()
    assert (turns.count("many"), turns.count("few")) == (18, 5)
    first = turns.index("few")
    assert turns[first : first + 9] == ["few", "many"] * 4 + ["few"]


WAIT = """
import sys, time
from pathlib import Path
from docduck.extraction.extractors.model.asking.slots import slot
with slot(Path(sys.argv[1]), 1, time.monotonic() + 300, "first"):
    raise SystemExit("it had a turn")
"""


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGSTOP])
def test_a_process_that_waited_and_is_gone_or_paused_is_passed_over(
    sent: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slots, "_ABSENT_SECONDS", 0.5)
    turn = tmp_path / "teams" / "first"
    with slot(tmp_path, 1, time.monotonic() + 5, "second"):
        waiting = subprocess.Popen([sys.executable, "-c", WAIT, tmp_path])
        wait_for(lambda: turn.exists() and slots._is_locked(turn), 120)
        os.utime(turn, (turn.stat().st_atime, 0))
        waiting.send_signal(sent)
    try:
        with slot(tmp_path, 1, time.monotonic() + 30, "second"):
            pass
    finally:
        waiting.kill()
    assert waiting.wait() == -signal.SIGKILL


def test_slots_are_shared_with_other_processes_and_freed_by_their_death(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, tmp_path], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"held\n"
        with slot(tmp_path, 2, time.monotonic() + 5):
            with pytest.raises(Transient, match="taken by other documents"), slot(tmp_path, 2, 0):
                pass
            other.kill()
            other.wait()
            with slot(tmp_path, 2, time.monotonic() + 5):
                pass


@pytest.mark.slow
def test_requests_of_all_threads_together_stay_within_the_limit(read: Reader) -> None:
    two_came = threading.Barrier(2)

    def script(question: Question) -> Reply:
        with suppress(threading.BrokenBarrierError):
            two_came.wait(5)
        return reads_rows(question)

    documents = [long_document(4, 40)] * 3
    with model(script) as endpoint, ThreadPoolExecutor(3) as pool:
        found = list(
            pool.map(
                lambda one: read(endpoint.url, one, [ROWS], context_tokens=4096, max_concurrent=2), documents
            )
        )
    assert [len(one.data["Lines"]) for one in found] == [160] * 3
    assert endpoint.most_at_once == 2


def test_the_slots_stand_in_the_home_and_none_is_made_for_them(tmp_path: Path) -> None:
    for home, inside in ((tmp_path, True), (tmp_path / "missing", False)):
        options = model_options(Settings(home=home, model_base_url="http://localhost:1/v1"))
        assert options is not None
        assert options.slots.is_relative_to(tmp_path) is inside
        assert options.slots.parts[-2:] == ("model-slots", "default")
    assert list(tmp_path.iterdir()) == []
    assert model_options(Settings(home=tmp_path)) is None
