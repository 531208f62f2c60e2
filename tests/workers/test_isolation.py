"""What a worker that a document has taken over reaches: nothing."""

from __future__ import annotations

import os
import pickle
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docduck.errors import Transient, WorkerEnded
from docduck.workers import sandbox
from docduck.workers.limits import Limits
from docduck.workers.pool import Job, WorkerPool
from docduck.workers.process import InputUnavailable
from docduck.workers.task_queue import TaskOutcome
from tests.workers import jobs
from tests.workers.test_pool import Pool, finish, pool, result, run

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp are Linux's")


@pytest.fixture(scope="module")
def worker() -> Iterator[Pool]:
    with pool() as running:
        yield running


def attempt(worker: Pool, what: str, *given: Any) -> Any:
    worker.submit("attempt", ("attempt", what, *given))
    return result(finish(worker)["attempt"])


@LINUX
def test_files_are_out_of_reach(worker: Pool, tmp_path: Path) -> None:
    (secret := tmp_path / "secret").write_text("secret")
    assert attempt(worker, "read", str(secret)) == "PermissionError"
    assert attempt(worker, "read", "/etc/passwd") == "PermissionError"
    assert attempt(worker, "read", f"/proc/{os.getpid()}/environ") == "PermissionError"
    assert attempt(worker, "list", str(tmp_path)) == "PermissionError"
    assert attempt(worker, "list", str(Path(__file__).parent)) == "PermissionError"
    assert attempt(worker, "write", str(tmp_path / "new")) == "PermissionError"
    assert attempt(worker, "write", str(Path(sandbox.__file__).with_name("new.py"))) == "PermissionError"
    assert attempt(worker, "unlink", str(secret)) == "PermissionError"
    assert attempt(worker, "link", str(secret)) in ("PermissionError", "OSError")
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


@LINUX
def test_the_network_and_local_sockets_are_out_of_reach(worker: Pool, tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(type=socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as unix,
    ):
        udp.bind(("127.0.0.1", 0))
        unix.bind(str(tmp_path / "x.sock"))
        unix.listen()
        assert attempt(worker, "tcp", tcp.getsockname()[1]) == "PermissionError"
        assert attempt(worker, "udp", udp.getsockname()[1]) == "PermissionError"
        assert attempt(worker, "unix", str(tmp_path / "x.sock")) == "PermissionError"


@LINUX
def test_other_processes_and_privileges_are_out_of_reach(worker: Pool) -> None:
    assert attempt(worker, "signal", os.getpid()) == "PermissionError"
    assert attempt(worker, "setuid") == "PermissionError"
    assert attempt(worker, "chroot") == "PermissionError"


def test_the_environment_holds_no_settings(worker: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCDUCK_SECRET_KEY", "secret")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with pool() as running:
        running.submit("it", ("environment",))
        variables = result(finish(running)["it"])["variables"]
    assert not {name for name in variables if "SECRET" in name or name.startswith("DOCDUCK")}
    assert {"HOME", "TMPDIR"} <= set(variables)


def test_inputs_are_read_and_outputs_handed_over(tmp_path: Path) -> None:
    (one := tmp_path / "one").write_bytes(b"1" * 100_000)
    (two := tmp_path / "two").write_bytes(b"")
    with pool() as running:
        running.submit("read", ("read",), [one, two])
        running.submit("large", ("read",), [two, one], more_seconds=10)
        running.submit("write", ("write", {"a.txt": b"A", "b": b"B" * 70_000}))
        running.submit("nothing", ("echo", 1))
        outcomes = finish(running)
        assert outcomes["read"].result == [b"1" * 100_000, b""]
        assert outcomes["large"].result == [b"", b"1" * 100_000]
        folder = outcomes["write"].outputs
        assert folder is not None
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
            "a.txt": b"A",
            "b": b"B" * 70_000,
        }
        assert outcomes["nothing"].outputs is None
    assert not folder.exists(), "outputs that nobody took go with the pool"


def test_each_task_has_its_own_outputs_however_soon_the_next_begins() -> None:
    with pool() as running:
        for number in range(300):
            files = {f"{part}": f"{number} {part}".encode() for part in range(number % 4)}
            running.submit(str(number), ("write", files))
        for key, outcome in finish(running).items():
            written = (
                {path.name: path.read_text() for path in outcome.outputs.iterdir()} if outcome.outputs else {}
            )
            assert written == {f"{part}": f"{key} {part}" for part in range(int(key) % 4)}


def test_a_link_in_place_of_the_outputs_is_none(tmp_path: Path) -> None:
    with pool() as running:
        running.submit("it", ("link_outputs", str(tmp_path)))
        assert finish(running)["it"].outputs is None


def test_a_task_too_large_for_a_datagram_has_its_inputs(tmp_path: Path) -> None:
    (one := tmp_path / "one").write_bytes(b"1")
    with pool() as running:
        for number in range(6):
            running.submit(str(number), ("read_with", "x" * 100_000 * (number % 2)), [one])
        outcomes = finish(running)
    assert all(outcome.result == [b"1", 100_000 * (int(key) % 2)] for key, outcome in outcomes.items())


def test_a_missing_input_can_be_tried_again_and_ends_its_task_alone(tmp_path: Path) -> None:
    with pool() as running:
        running.submit("bad", ("read",), [tmp_path / "gone"])
        running.submit("good", ("echo", 1))
        outcomes = finish(running)
    assert isinstance(outcomes["bad"].error, InputUnavailable)
    assert "gone" in outcomes["bad"].error.message
    assert outcomes["good"].result == 1


def test_pages_give_a_task_more_time_but_no_more_than_the_most() -> None:
    limits = Limits(0.5, 400 << 20, pages=10, page_seconds=0.3, most_seconds=2.0)
    with WorkerPool(Job(jobs.perform, Any), 1, limits) as running:
        running.submit("in time", ("pages", 3, 1.0))
        running.submit("too late", ("pages", 1, 1.5))
        running.submit("boasts", ("pages", 1_000_000, 60.0))
        running.submit("own time", ("sleep", 0.8), more_seconds=4)
        outcomes = finish(running)
    assert outcomes["in time"].error is None
    assert 0 < result(outcomes["in time"]) < 0.5
    for key in ("too late", "boasts"):
        assert outcomes[key].error is not None, key
        assert outcomes[key].error.message == "Timed out while processing document"  # type: ignore[union-attr]
    assert outcomes["boasts"].seconds < 20
    assert outcomes["own time"].error is None


def test_questions_are_answered_side_by_side() -> None:
    def respond(question: bytes, seconds: float) -> bytes:
        assert seconds == 10
        return question.upper()

    with pool() as running:
        questions = [f"q{number}".encode() for number in range(20)]
        running.submit("it", ("ask", questions, 10), responder=respond)
        assert finish(running)["it"].result == [question.upper() for question in questions]


def test_a_question_that_fails_or_is_not_answered_in_time_is_transient() -> None:
    def respond(question: bytes, seconds: float) -> bytes:
        if question == b"fails":
            raise Transient("the model is away")
        if question == b"late":
            time.sleep(2)
        raise ValueError(question)

    with pool() as running:
        for question in (b"fails", b"late", b"breaks"):
            running.submit(question.decode(), ("ask", [question], 1), responder=respond)
        outcomes = finish(running)
        running.submit("next", ("echo", 1))
        assert finish(running)["next"].result == 1
    messages = {key: outcome.error.message for key, outcome in outcomes.items() if outcome.error}
    assert messages == {"fails": "the model is away", "late": "no answer within 1 s", "breaks": "ValueError"}
    assert all(isinstance(outcome.error, Transient) for outcome in outcomes.values())


def test_what_may_not_ask_is_ended() -> None:
    asked: list[bytes] = []

    def respond(question: bytes, seconds: float) -> bytes:
        asked.append(question)
        return b""

    with pool(2) as running:
        running.submit("silent", ("ask", [b"x"], 5))
        running.submit("it", ("ask", [b"y"], 5), responder=respond)
        outcomes = finish(running)
    assert isinstance(outcomes["silent"].error, WorkerEnded)
    assert asked == [b"y"]


class _Trap:
    def __reduce__(self) -> Any:
        return os.mkdir, ("sprung",)


@pytest.mark.parametrize(
    "frame",
    [
        ("D", b"no MessagePack"),
        ("D", pickle.dumps(_Trap())),
        ("D", b""),
        ("P", b"\xc4"),
        ("Q", b"x"),
        ("R", b""),
        ("Z", b"unknown"),
    ],
)
def test_what_is_no_reply_costs_its_task_alone(
    frame: tuple[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pool() as running:
        running.submit("bad", ("frame", *frame), responder=lambda question, seconds: b"")
        running.submit("good", ("echo", 1))
        outcomes = finish(running)
    assert isinstance(outcomes["bad"].error, WorkerEnded)
    assert outcomes["bad"].error.how == "its answer is invalid"
    assert outcomes["good"].result == 1
    assert list(tmp_path.iterdir()) == [], "nothing that a worker says is executed"


def test_a_reply_over_the_limit_is_refused() -> None:
    outcome: TaskOutcome[Any] = run(("blob", 3), Limits(30, 400 << 20, reply_bytes=2 << 20))
    assert isinstance(outcome.error, WorkerEnded)
    assert "limit 2097152" in outcome.error.detail


def test_texts_that_are_no_unicode_arrive_without_what_is_wrong() -> None:
    assert result(run(("surrogate",))) == {"text": "a?b", "list": ["?"]}


def test_scratch_folders_go_with_their_process(worker: Pool) -> None:
    with pool() as running:
        running.submit("it", ("environment",))
        folder = Path(result(finish(running)["it"])["folder"])
        assert folder.is_dir()
    assert not folder.exists()
    assert not folder.parent.exists()


@LINUX
def test_this_kernel_s_restrictions_are_told() -> None:
    held = sandbox.probe()
    assert [name.split(" (")[0] for name in held] == ["no privileges", "files", "network"]
