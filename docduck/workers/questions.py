"""Answering the questions of tasks, in threads of the pool's process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor

from docduck.errors import DocduckError, Transient
from docduck.workers.channel import BrokenChannel
from docduck.workers.failure import Failure
from docduck.workers.messages import Question, QuestionAnswer, pack, unpack_question
from docduck.workers.process import Responder, WorkerProcess

_MOST_QUESTIONS = 1000
_MOST_QUESTION_BYTES = 64 << 20


class QuestionAnswering:
    """Have the responders of tasks answer up to ``most`` questions at a time.

    ``on_answer`` is called when an answer is ready for ``send``.
    """

    def __init__(self, most: int, on_answer: Callable[[], None]) -> None:
        self._on_answer = on_answer
        self._threads = ThreadPoolExecutor(most, "worker-pool-answers")
        self._lock = threading.Lock()
        self._answers: list[tuple[WorkerProcess, bytes]] = []

    def ask(self, process: WorkerProcess, payload: bytes) -> None:
        """Have a question of the process's task answered; raise BrokenChannel if it may not ask."""
        assignment = process.assignments[0]
        assignment.questions += 1
        if assignment.responder is None:
            raise BrokenChannel("it asks though nobody answers")
        if assignment.questions > _MOST_QUESTIONS or len(payload) > _MOST_QUESTION_BYTES:
            raise BrokenChannel("it asks too much")
        self._threads.submit(self._answer, assignment.responder, process, unpack_question(payload))

    def send(self, processes: Collection[WorkerProcess]) -> None:
        """Send the answers that are ready, to those of ``processes`` that are to have them."""
        with self._lock:
            answers, self._answers = self._answers, []
        for process, payload in answers:
            if process in processes:
                process.answer(payload)

    def close(self) -> None:
        """Drop questions that are not being answered yet."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _answer(self, responder: Responder, process: WorkerProcess, question: Question) -> None:
        try:
            answer = QuestionAnswer(question.number, responder(question.payload, question.seconds))
        except DocduckError as error:
            answer = QuestionAnswer(question.number, failure=Failure.of(error))
        except Exception as error:
            failure = Failure.of(Transient(f"{type(error).__name__}"))
            answer = QuestionAnswer(question.number, failure=failure)
        with self._lock:
            self._answers.append((process, pack(answer)))
        self._on_answer()
