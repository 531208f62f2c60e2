from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from docduck.errors import (
    DamagedFile,
    Defect,
    DocduckError,
    DocumentError,
    EmptyFile,
    TimedOut,
    TooMuchMemory,
    Transient,
    UnsupportedFile,
    WorkerEnded,
)
from docduck.workers.limits import Limits
from docduck.workers.pool import Job, WorkerPool
from docduck.workers.process import WorkerProcess
from docduck.workers.task_queue import TaskOutcome
from tests.waiting import wait_for
from tests.workers import jobs

MIB = 1 << 20
ROOMY = Limits(seconds=120, memory_bytes=400 * MIB)

Pool = WorkerPool[tuple[Any, ...], Any]


def pool(workers: int = 1, limits: Limits = ROOMY, preload: tuple[str, ...] = (), **more: Any) -> Pool:
    return WorkerPool(Job(jobs.perform, Any, preload), workers, limits, **more)


def finish(running: Pool, seconds: float = 30) -> dict[str, TaskOutcome[Any]]:
    """All outcomes until nothing is in flight."""
    outcomes: dict[str, TaskOutcome[Any]] = {}
    deadline = time.monotonic() + seconds
    while True:
        for outcome in running.wait(deadline - time.monotonic()):
            assert outcome.key not in outcomes, "told twice"
            outcomes[outcome.key] = outcome
        if not running.in_flight:
            return outcomes
        assert time.monotonic() < deadline, f"still in flight after {seconds} s"


def run(task: tuple[Any, ...], limits: Limits = ROOMY) -> TaskOutcome[Any]:
    with pool(limits=limits) as running:
        running.submit("it", task)
        return finish(running)["it"]


def result(outcome: TaskOutcome[Any]) -> Any:
    assert outcome.error is None, outcome
    return outcome.result


@contextlib.contextmanager
def gone(pids: list[int]) -> Iterator[None]:
    """Asserts that the processes are dead within seconds of the block's end."""
    yield
    wait_for(lambda: not any(map(_alive, pids)), 5, lambda: f"orphans: {list(filter(_alive, pids))}")


def _alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_results_come_back_with_their_keys_and_times() -> None:
    with pool(workers=2) as running:
        for number in range(50):
            running.submit(f"task {number}", ("echo", {"number": number, "text": "ä€"}))
        outcomes = finish(running)
    assert {key: outcome.result for key, outcome in outcomes.items()} == {
        f"task {number}": {"number": number, "text": "ä€"} for number in range(50)
    }
    assert all(outcome.error is None and 0 <= outcome.seconds < 30 for outcome in outcomes.values())


def test_processes_start_only_when_needed_and_work_side_by_side() -> None:
    with pool(workers=3) as running:
        assert running.pids == []
        running.submit("one", ("echo", 1))
        finish(running)
        assert len(running.pids) == 1
        for number in range(3):
            running.submit(str(number), ("sleep", 1.0))
        outcomes = finish(running)
        assert len(running.pids) == 3
        assert all(outcome.error is None for outcome in outcomes.values())


def test_workers_are_started_for_tasks_that_are_expected_but_no_more_than_allowed() -> None:
    with pool(workers=2) as running:
        for expected, started in ((1, 1), (5, 2)):
            running.expect(expected)
            deadline = time.monotonic() + 10
            while len(running.pids) < started and time.monotonic() < deadline:
                time.sleep(0.02)
            assert len(running.pids) == started
        first = set(running.pids)
        running.submit("one", ("echo", 1))
        finish(running)
        assert set(running.pids) == first


@pytest.mark.parametrize(
    ("how", "ended"), [("kill", "SIGKILL"), ("segfault", "SIGSEGV"), ("vanish", "exit code 0")]
)
def test_a_crash_costs_its_document_alone(how: str, ended: str) -> None:
    with pool(workers=2) as running:
        for number in range(6):
            running.submit(f"good {number}", ("sleep", 0.05, number))
        running.submit("bad", (how,))
        for number in range(6, 12):
            running.submit(f"good {number}", ("sleep", 0.05, number))
        outcomes = finish(running)
    bad = outcomes.pop("bad")
    assert isinstance(bad.error, WorkerEnded)
    assert bad.error.message == f"The process that was reading ended without a result ({ended})"
    if how == "segfault":
        assert "_segfault" in bad.error.detail, "it says where"
    assert sorted(result(outcome) for outcome in outcomes.values()) == list(range(12))


def test_a_document_whose_process_dies_once_is_tried_in_a_fresh_one() -> None:
    answers = iter([b"yes", b"no"])
    with pool() as running:
        running.submit("it", ("crash_once",), responder=lambda question, seconds: next(answers))
        assert finish(running)["it"].result == "survived"


def test_a_worker_killed_from_outside_loses_nothing() -> None:
    with pool(workers=2) as running:
        for number in range(4):
            running.submit(str(number), ("sleep", 0.6, number))
        while len(running.pids) < 2:
            time.sleep(0.01)
        time.sleep(0.4)
        for pid in running.pids:
            os.kill(pid, signal.SIGKILL)
        outcomes = finish(running)
    assert sorted(result(outcome) for outcome in outcomes.values()) == [0, 1, 2, 3]


def test_an_idle_worker_killed_from_outside_is_replaced() -> None:
    with pool() as running:
        running.submit("first", ("pid",))
        (first,) = running.wait(10)
        os.kill(result(first), signal.SIGKILL)
        running.submit("second", ("pid",))
        (second,) = running.wait(10)
    assert second.error is None
    assert second.result != first.result


@pytest.mark.parametrize("how", [("sleep", 60.0), ("spin",)])
def test_a_hang_is_timed_out(how: tuple[Any, ...]) -> None:
    with pool(limits=Limits(seconds=0.5, memory_bytes=400 * MIB)) as running:
        running.submit("hangs", how)
        running.submit("waits behind it", ("echo", 1))
        start = time.monotonic()
        outcomes = finish(running)
        took = time.monotonic() - start
    assert isinstance(outcomes["hangs"].error, TimedOut)
    assert outcomes["hangs"].error.message == "Timed out while processing document"
    assert 0.4 < outcomes["hangs"].seconds < 5
    assert outcomes["waits behind it"].result == 1
    assert took < 5


@pytest.mark.slow
@pytest.mark.parametrize("how", [("hoard", 2000), ("demand", 4000), ("blob", 250)])
def test_a_memory_bomb_is_told(how: tuple[Any, ...]) -> None:
    with pool(limits=Limits(seconds=120, memory_bytes=200 * MIB)) as running:
        running.submit("before", ("echo", 1))
        running.submit("bomb", how)
        running.submit("after", ("echo", 2))
        outcomes = finish(running)
    error = outcomes["bomb"].error
    assert error is not None
    # The encoder of replies crashes without memory if that is sooner than the pool's next look at it.
    told = {"Reading the document takes more than 200 MiB of memory"}
    if how[0] == "blob":
        told |= {str(WorkerEnded(how)) for how in ("its answer is invalid", "SIGSEGV")}
    assert error.message in told
    assert (outcomes["before"].result, outcomes["after"].result) == (1, 2)


@pytest.mark.parametrize("step", [1, 16, 100])
def test_a_worker_never_holds_more_than_its_memory(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # The pool's look at it may end it before it says how much it held.
    monkeypatch.setattr(WorkerProcess, "memory_bytes", lambda process: 0)
    with pool(limits=Limits(seconds=120, memory_bytes=300 * MIB)) as running:
        running.submit("much", ("exhaust", step))
        peak = finish(running)["much"].result
        libraries = sum(psutil.Process(pid).memory_info().shared for pid in running.pids)
    assert peak is not None and 150 * MIB < peak <= 300 * MIB + libraries


def test_memory_left_by_others_is_not_held_against_a_document() -> None:
    with pool(limits=Limits(seconds=120, memory_bytes=600 * MIB)) as running:
        running.submit("keeps much", ("keep", 270))
        finish(running)
        running.submit("needs much", ("keep", 340))
        outcome = finish(running)["needs much"]
    assert outcome.error is None


@pytest.mark.parametrize(
    ("task", "kind", "message"),
    [
        ("document_error", UnsupportedFile, "Unsupported file type"),
        ("empty", EmptyFile, "File is empty"),
        ("transient", Transient, "the model is away"),
        ("recurse", DamagedFile, "File is damaged or not readable"),
    ],
)
def test_errors_raised_on_purpose_arrive_as_they_are(task: str, kind: type[Exception], message: str) -> None:
    outcome = run((task,))
    assert type(outcome.error) is kind
    assert outcome.error.message == message
    assert outcome.trace is None
    if isinstance(outcome.error, UnsupportedFile):
        assert outcome.error.content_type == "image/x-odd"


def test_any_other_error_is_a_defect_with_its_trace() -> None:
    with pool() as running:
        running.submit("raise", ("raise",))
        running.submit("exit", ("exit", 3))
        running.submit("lambda", ("unpicklable",))
        running.submit("pid", ("pid",))
        outcomes = finish(running)
        assert running.pids == [outcomes["pid"].result], "a defect does not cost the process"
    error = outcomes["raise"].error
    assert isinstance(error, Defect)
    assert not isinstance(error, DocumentError)
    assert error.message == "ZeroDivisionError: of all things"
    assert "in _raise" in (outcomes["raise"].trace or "")
    assert isinstance(outcomes["exit"].error, Defect)
    assert isinstance(outcomes["lambda"].error, Defect)


def test_noise_on_stdout_and_stderr_does_not_disturb() -> None:
    with pool() as running:
        for number in range(3):
            running.submit(str(number), ("noise",))
        outcomes = finish(running)
    assert {outcome.result for outcome in outcomes.values()} == {"still understood"}


def test_a_large_result_and_a_large_task_pass() -> None:
    with pool() as running:
        running.submit("result", ("blob", 40))
        running.submit("task", ("echo", "x" * (5 * MIB)))
        outcomes = finish(running)
    assert outcomes["result"].result == b"d" * (40 * MIB)
    assert outcomes["task"].result == "x" * (5 * MIB)


def test_a_task_that_waits_behind_a_slow_one_goes_to_an_idle_worker() -> None:
    with pool(workers=2) as running:
        for number in range(2):
            running.submit(f"warm {number}", ("sleep", 0.5))
        finish(running)
        running.submit("slow", ("sleep", 20.0))
        running.submit("short", ("sleep", 0.5))
        for number in range(6):
            running.submit(str(number), ("sleep", 0.02))
        done: list[str] = []
        while len(done) < 7:
            (batch := running.wait(5)) or pytest.fail(f"only {done}")
            done += [outcome.key for outcome in batch]
        assert running.in_flight == 1


def test_what_waits_behind_a_task_that_ends_its_worker_is_not_harmed() -> None:
    with pool(limits=Limits(seconds=1, memory_bytes=300 * MIB)) as running:
        for number, how in enumerate([("kill",), ("sleep", 60.0), ("hoard", 2000), ("demand", 4000)]):
            running.submit(f"bad {number}", how)
            running.submit(f"good {number}", ("echo", number))
        outcomes = finish(running)
    kinds: list[type[Exception] | tuple[type[Exception], ...]] = [
        WorkerEnded,
        TimedOut,
        (TooMuchMemory, TimedOut),
        TooMuchMemory,
    ]
    for number, kind in enumerate(kinds):
        assert outcomes[f"good {number}"].result == number
        assert isinstance(outcomes[f"bad {number}"].error, kind)


def test_a_worker_is_alone_with_its_task() -> None:
    with pool() as running:
        running.submit("it", ("environment",))
        found = result(finish(running)["it"])
        (pid,) = running.pids
    assert found["threads"] == "1"
    assert found["stdin"] == ""
    assert found["group"] == pid, "Ctrl-C must not reach it"
    assert found["descriptors"] <= 6, "it inherits nothing but its own sockets"


def test_a_worker_is_replaced_after_so_many_tasks() -> None:
    with pool(tasks_per_worker=5) as running:
        served: dict[int, int] = {}
        for number in range(30):
            running.submit(str(number), ("ordinal",))
            for outcome in running.wait(10):
                pid, ordinal = result(outcome)
                served[pid] = ordinal
        assert len(running.pids) <= 1
    assert len(served) == 6
    assert set(served.values()) == {5}


def test_a_worker_that_keeps_much_memory_is_replaced() -> None:
    with pool(limits=Limits(seconds=120, memory_bytes=300 * MIB)) as running:
        running.submit("keeps", ("keep", 240))
        (first,) = running.wait(10)
        running.submit("next", ("pid",))
        (second,) = running.wait(10)
    assert second.result != first.result


def test_a_key_in_flight_is_refused() -> None:
    with pool() as running:
        running.submit("it", ("sleep", 0.2))
        with pytest.raises(Defect, match="Task it is in the pool already"):
            running.submit("it", ("echo", 1))


def test_wait_returns_in_time_and_at_once_when_nothing_is_in_flight() -> None:
    with pool() as running:
        assert running.wait(60) == []
        running.submit("it", ("sleep", 30.0))
        start = time.monotonic()
        assert running.wait(0.1) == []
        assert time.monotonic() - start < 20


def test_limits_hold_while_the_caller_does_not_look() -> None:
    with pool(limits=Limits(seconds=0.3, memory_bytes=400 * MIB)) as running:
        running.submit("hangs", ("sleep", 60.0))
        running.submit("next", ("echo", 1))
        deadline = time.monotonic() + 20
        while running.in_flight and time.monotonic() < deadline:
            time.sleep(0.05)
        outcomes = {outcome.key: outcome for outcome in running.wait(0)}
    assert set(outcomes) == {"hangs", "next"}


def test_leaving_the_pool_ends_every_process() -> None:
    with pool(workers=2) as running:
        for number in range(4):
            running.submit(str(number), ("sleep", 60.0))
        while len(running.pids) < 2:
            time.sleep(0.01)
        pids = running.pids
    with gone(pids):
        pass
    assert not any(thread.name == "worker-pool" for thread in threading.enumerate())


def test_workers_that_cannot_start_are_told() -> None:
    with pool(preload=("docduck.no_such_module",)) as running:
        running.submit("it", ("echo", 1))
        with pytest.raises(Defect, match=r"do not start(.|\n)*docduck.no_such_module"):
            finish(running)
        with pytest.raises(Defect, match="do not start"):
            running.submit("another", ("echo", 1))


def test_tasks_can_be_submitted_from_many_threads() -> None:
    with pool(workers=2) as running:

        def submit(name: str) -> None:
            for number in range(50):
                running.submit(f"{name} {number}", ("echo", number))

        threads = [threading.Thread(target=submit, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(finish(running)) == 200


@pytest.mark.parametrize("busy", ["sleep", "spin"])
def test_workers_die_with_a_parent_that_is_killed(tmp_path: Path, busy: str) -> None:
    task = ("sleep", 60.0) if busy == "sleep" else ("spin",)
    script = tmp_path / "parent.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import time
            from typing import Any
            from docduck.workers.limits import Limits
            from docduck.workers.pool import Job, WorkerPool
            from tests.workers import jobs

            # No main guard: starting a worker must not run this file again.
            with WorkerPool(Job(jobs.perform, Any), 2, Limits(60, {400 * MIB})) as pool:
                pool.submit("quick", ("pid",))
                pool.wait()
                pool.submit("busy", {task!r})
                pool.submit("busy too", {task!r})
                time.sleep(0.5)
                print(*pool.pids, flush=True)
                time.sleep(60)
            """
        )
    )
    root = str(Path(__file__).parents[2])
    environment = os.environ | {"PYTHONPATH": root}
    with subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment
    ) as parent:
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert len(pids) == 2
        assert all(_alive(pid) for pid in pids)
        with gone(pids):
            parent.kill()


def test_works_from_a_daemon_thread_of_a_child_process(tmp_path: Path) -> None:
    """As in a run worker of an orchestrator, whose main module is not ours."""
    script = tmp_path / "launcher.py"
    script.write_text(
        textwrap.dedent(
            """
            import multiprocessing, threading
            from typing import Any
            from docduck.workers.limits import Limits
            from docduck.workers.pool import Job, WorkerPool
            from tests.workers import jobs

            def work():
                with WorkerPool(Job(jobs.perform, Any), 2, Limits(30, 400 << 20)) as pool:
                    for number in range(5):
                        pool.submit(str(number), ("echo", number))
                    results = []
                    while pool.in_flight:
                        results += [outcome.result for outcome in pool.wait(10)]
                    results += [outcome.result for outcome in pool.wait(0)]
                    print(sorted(results), flush=True)

            def child():
                thread = threading.Thread(target=work, daemon=True)
                thread.start()
                thread.join()

            if __name__ == "__main__":
                process = multiprocessing.get_context("spawn").Process(target=child, daemon=True)
                process.start()
                process.join()
            """
        )
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, env=environment, timeout=60, check=True
    )
    assert done.stdout.strip() == "[0, 1, 2, 3, 4]"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_time_in_which_all_processes_are_paused_is_not_counted(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        textwrap.dedent(
            """
            import time
            from typing import Any
            from docduck.workers import pool as pools
            from docduck.workers.limits import Limits
            from tests.workers import jobs

            pools._PAUSE_SECONDS = 0.5
            job = pools.Job(jobs.perform, Any)
            with pools.WorkerPool(job, 1, Limits(1.5, 400 << 20)) as pool:
                pool.submit("it", ("sleep", 0.5, "done"))
                while not any(process.ready and process.assignments for process in pool._processes):
                    time.sleep(0.01)
                print("begun", flush=True)
                (outcome,) = pool.wait()
                print(outcome.error or outcome.result, outcome.seconds < 1.5, flush=True)
            """
        )
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment) as it:
        assert it.stdout is not None
        assert it.stdout.readline() == "begun\n"
        parent = psutil.Process(it.pid)
        paused = [parent, *parent.children(recursive=True)]
        for one in paused:
            one.suspend()
        time.sleep(2)
        # Its worker goes on last, when its time is over by the clock.
        for one in paused:
            time.sleep(0.2)
            one.resume()
        assert it.stdout.readline() == "done True\n"


@pytest.mark.extended
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_task_ends_once_and_rightly_whatever_happens(seed: int) -> None:
    chance = random.Random(seed)
    bad: dict[tuple[Any, ...], type[DocduckError]] = {
        ("kill",): WorkerEnded,
        ("vanish",): WorkerEnded,
        ("demand", 4000): TooMuchMemory,
        ("sleep", 60.0): TimedOut,
    }
    expected: dict[str, Any] = {}
    withdrawn: set[str] = set()
    outcomes: dict[str, TaskOutcome[Any]] = {}
    with pool(workers=3, limits=Limits(seconds=2.0, memory_bytes=300 * MIB), tasks_per_worker=20) as running:
        for number in range(150):
            key = str(number)
            if chance.random() < 0.06:
                task = chance.choice(list(bad))
                expected[key] = bad[task]
            elif chance.random() < 0.05:
                task = ("echo", "x" * 200_000)
                expected[key] = task[1]
            else:
                task = ("sleep", chance.random() * 0.03, number)
                expected[key] = number
            running.submit(key, task)
            if chance.random() < 0.05 and running.withdraw(victim := str(chance.randint(0, number))):
                withdrawn.add(victim)
            # A task is given a second process only once, so two kills could end a long one before its time.
            long = any(what is TimedOut and name not in outcomes for name, what in expected.items())
            if chance.random() < 0.03 and not long and (pids := running.pids):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(chance.choice(pids), signal.SIGKILL)
            while running.in_flight > 8:
                for outcome in running.wait(10):
                    assert outcome.key not in outcomes
                    outcomes[outcome.key] = outcome
        outcomes |= finish(running)
    assert set(outcomes) == set(expected) - withdrawn
    for key, outcome in outcomes.items():
        if isinstance(expected[key], type):
            assert type(outcome.error) is expected[key], key
        else:
            assert result(outcome) == expected[key], key


@pytest.mark.slow
def test_memory_stays_flat_over_many_tasks() -> None:
    parent = psutil.Process()
    with WorkerPool(Job(jobs.nothing, Any), 2, ROOMY, tasks_per_worker=1000) as running:
        used: list[int] = []
        for batch in range(10):
            for number in range(500):
                running.submit(f"{batch} {number}", "x" * 20_000)
            while running.in_flight:
                running.wait(10)
            running.wait(0)
            used.append(
                parent.memory_info().rss + sum(psutil.Process(pid).memory_info().rss for pid in running.pids)
            )
    kept = 7 * 500 * 20_000
    assert used[-1] < used[2] + 0.7 * kept, "no more than a part of what passed through"


def test_a_task_is_not_taken_for_an_equal_one_that_waits_behind_it() -> None:
    with pool(1, Limits(seconds=0.5, memory_bytes=700 << 20)) as running:
        for key in ("first", "second", "third"):
            running.submit(key, ("sleep", 30))
        running.submit("last", ("echo", 1))
        ended = [(outcome.key, str(outcome.error)) for outcome in finish(running).values()]
    late = str(TimedOut())
    assert ended == [("first", late), ("second", late), ("third", late), ("last", "None")]


def test_a_task_that_no_worker_has_can_be_withdrawn() -> None:
    with pool(1) as running:
        for number in range(4):
            running.submit(f"{number}", ("sleep", 0.5, number))
        while not running.pids:
            time.sleep(0.01)
        assert running.withdraw("3")
        assert not running.withdraw("3"), "it is not there any more"
        assert not running.withdraw("unknown")
        assert set(finish(running)) == {"0", "1", "2"}
        assert not running.withdraw("0"), "it is done"
