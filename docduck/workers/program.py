"""The program of a worker.

It receives its order on the first socket, a stream, enters the sandbox, reports ready, and then replies to
tasks. Tasks are datagrams on the second socket, from which the pool can take unstarted ones back. A task too
large for a datagram comes on the stream, its input files in a datagram.

The pool kills the process when a task exceeds its limits; it dies with the fork server, which dies with the
pool's process.
"""

from __future__ import annotations

import ctypes
import faulthandler
import importlib
import os
import pickle
import select
import signal
import socket
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path
from typing import Any

from docduck.errors import DamagedFile, Defect, DocduckError, Transient
from docduck.workers import sandbox
from docduck.workers.channel import (
    ANSWER,
    DONE,
    INPUTS_ONLY,
    PAGES,
    QUESTION,
    READY,
    TASK,
    Delivery,
    receive_frame,
    receive_task,
    send_frame,
)
from docduck.workers.context import Context
from docduck.workers.failure import Failure
from docduck.workers.limits import limit_this_process
from docduck.workers.messages import (
    Order,
    Question,
    QuestionAnswer,
    Reply,
    Task,
    output_folder,
    pack,
    unpack_answer,
    without_surrogates,
)

_PR_SET_PDEATHSIG = 1
_GRACE_SECONDS = 10


def work(stream: int, inbox: int, parent: int) -> None:
    """Serve tasks until the pool closes the socket; die with the process ``parent``."""
    _die_with(parent)
    faulthandler.enable(2, all_threads=False)
    # Both are closed when the process ends, after its last output.
    worker = _Worker(socket.socket(fileno=stream), socket.socket(fileno=inbox))
    frame = receive_frame(worker.stream)
    if frame is not None:
        order: Order = pickle.loads(frame.payload)
        _move_to(order.scratch)
        for name in order.preload:
            importlib.import_module(name)
        limit_this_process(order.memory_bytes)
        held = sandbox.enter(Path(order.scratch))
        send_frame(worker.stream, READY, pack(held))
        worker.serve(order)


class _Worker:
    def __init__(self, stream: socket.socket, inbox: socket.socket) -> None:
        self.stream = stream
        self._inbox = inbox
        self._sending = threading.Lock()
        self._served = 0
        self._questions = 0
        self._answers: dict[int, QuestionAnswer] = {}
        self._answered = threading.Condition()
        self._listening = False

    def serve(self, order: Order) -> None:
        while (delivery := self._next_task()) is not None:
            _forget_noise()
            # A timer of the kernel ends the task if the pool fails to.
            signal.setitimer(signal.ITIMER_REAL, order.most_seconds + _GRACE_SECONDS)
            reply = self._perform(order, delivery)
            signal.setitimer(signal.ITIMER_REAL, 0)
            delivery.close()
            self._served += 1
            self._send(DONE, _packed(reply))

    def _next_task(self) -> Delivery | None:
        inputs: tuple[int, ...] = ()
        while True:
            readable, _, _ = select.select([self._inbox, self.stream], [], [])
            if self._inbox in readable:
                # None: the parent has taken it back.
                delivery = receive_task(self._inbox)
                if delivery is not None and delivery.payload != INPUTS_ONLY:
                    return delivery
                inputs = delivery.descriptors if delivery is not None else inputs
            elif (frame := receive_frame(self.stream)) is None:
                return None
            elif frame.kind == TASK:
                return Delivery(frame.payload, inputs)

    def _perform(self, order: Order, delivery: Delivery) -> Reply[Any]:
        start = time.perf_counter()

        def reply(**outcome: Any) -> Reply[Any]:
            return Reply(seconds=time.perf_counter() - start, **outcome)

        try:
            task: Task = pickle.loads(delivery.payload)
            self._answers.clear()
            context = Context(
                delivery.descriptors,
                output_folder(Path(order.scratch), self._served),
                task.seconds,
                task.page_seconds,
                lambda pages: self._send(PAGES, pack(pages)),
                self._ask,
            )
            return reply(result=order.job(task.argument, context))
        except DocduckError as error:
            return reply(failure=Failure.of(error))
        except MemoryError:
            return reply(exhausted=True)
        except RecursionError:
            return reply(failure=Failure.of(DamagedFile("it is nested too deeply")))
        except BaseException as error:
            return reply(failure=_defect(f"{type(error).__name__}: {error}"))

    def _send(self, kind: bytes, payload: bytes) -> None:
        with self._sending:
            send_frame(self.stream, kind, payload)

    def _ask(self, payload: bytes, seconds: float) -> bytes:
        """Send a question to the pool. One of the waiting threads receives all answers."""
        deadline = time.monotonic() + seconds
        with self._answered:
            self._questions += 1
            number = self._questions
        self._send(QUESTION, pack(Question(number, payload, seconds)))
        with self._answered:
            while number not in self._answers:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Transient(f"no answer within {seconds:.0f} s")
                if self._listening:
                    self._answered.wait(left)
                    continue
                self._listening = True
                self._answered.release()
                try:
                    answer = self._receive_answer(left)
                finally:
                    self._answered.acquire()
                    self._listening = False
                    self._answered.notify_all()
                if answer is not None:
                    self._answers[answer.number] = answer
            answer = self._answers.pop(number)
        if answer.failure is not None:
            raise answer.failure.error()
        return answer.payload

    def _receive_answer(self, seconds: float) -> QuestionAnswer | None:
        if not select.select([self.stream], [], [], seconds)[0]:
            return None
        frame = receive_frame(self.stream)
        if frame is None:
            raise Transient("the pool is gone")
        return unpack_answer(frame.payload) if frame.kind == ANSWER else None


def _packed(reply: Reply[Any]) -> bytes:
    try:
        try:
            return pack(reply)
        except UnicodeEncodeError:
            return pack(without_surrogates(reply))
    except MemoryError:
        return pack(Reply(exhausted=True, seconds=reply.seconds))
    except Exception as error:
        failure = _defect(f"The result can't be sent: {type(error).__name__}: {error}")
        return pack(Reply(failure=failure, seconds=reply.seconds))


def _defect(message: str) -> Failure:
    return Failure.of(Defect(message.encode("utf-8", "replace").decode()), traceback.format_exc())


def _die_with(parent: int) -> None:
    """Let the kernel kill this process when its parent ends, even by SIGKILL (Linux).

    Elsewhere the closed socket ends an idle worker, and the task's timer a busy one.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _move_to(scratch: str) -> None:
    """Let ``scratch`` be the place of all files of this process."""
    os.chdir(scratch)
    os.environ |= {"HOME": scratch, "TMPDIR": scratch}
    tempfile.tempdir = None


def _forget_noise() -> None:
    """Truncate the file behind stdout and stderr, which is only read after a crash."""
    os.ftruncate(2, 0)
    os.lseek(2, 0, os.SEEK_SET)
