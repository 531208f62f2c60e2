"""The long documents of a run: which of their pieces are still to be read, and whose turn it is.

Pieces are kept in the home until their documents are done:

    pieces/<document id>/<key>/<number>     a piece, by the key of its reading
    pieces/<document id>/<key>/whole        all of them in one file, once all are there

A piece appears whole or not at all. The key changes with the file, the way it is read, and docduck's version.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlalchemy import select

from docduck import __version__
from docduck.catalog.models import Document
from docduck.documents.read_options import ReadOptions
from docduck.errors import WorkerEnded
from docduck.extraction.extractors.model.asking.endpoint import Endpoints
from docduck.extraction.jobs.expansion_job import ExpandTask, ExpansionResult, Piece, of_undivided
from docduck.extraction.jobs.extraction_job import reading_of
from docduck.extraction.jobs.kept_pieces import PIECE_OUTPUT, KeptPieces, Pieces
from docduck.extraction.model_usage import ModelUsage
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import Claim
from docduck.service.processing.loaded_classifiers import LoadedClassifier
from docduck.service.processing.loaded_parsers import LoadedParser
from docduck.service.processing.worker_tasks import submit
from docduck.statuses import IN_PROGRESS
from docduck.workers.fair_queue import FairQueue
from docduck.workers.messages import open_output
from docduck.workers.pool import WorkerPool
from docduck.workers.task_queue import TaskOutcome

_WHOLE = "whole"


class PieceFolder:
    """The kept pieces of one reading of a document."""

    def __init__(self, inst: Installation, document_id: str, sha256: str, reading: ReadOptions) -> None:
        described = "\n".join((__version__, sha256, repr(reading)))
        key = hashlib.sha256(described.encode("utf-8", "replace")).hexdigest()[:16]
        self._folder = _pieces(inst) / document_id / key

    def numbers(self) -> set[int]:
        """Return the numbers of the pieces that are kept."""
        with suppress(FileNotFoundError):
            return {int(path.name) for path in self._folder.iterdir() if path.name.isdigit()}
        return set()

    def keep(self, number: int, outputs: Path | None) -> None:
        """Keep a piece that a worker has written to ``outputs``; raise WorkerEnded if it has not, OSError."""
        with open_output(outputs, PIECE_OUTPUT) as content:
            aside = self._aside()
            with aside.open("wb") as target:
                shutil.copyfileobj(content, target)
            aside.replace(self._folder / f"{number}")

    def whole(self, count: int) -> Path:
        """Return the file of all ``count`` pieces."""
        path = self._folder / _WHOLE
        if not path.exists():
            aside = self._aside()
            with aside.open("wb") as target:
                for number in range(count):
                    with (self._folder / f"{number}").open("rb") as piece:
                        shutil.copyfileobj(piece, target)
            aside.replace(path)
        return path

    def _aside(self) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder / f".{new_id()}"


def forget_pieces(inst: Installation) -> None:
    """Delete the pieces of documents that are done or deleted."""
    try:
        folders = {path.name: path for path in _pieces(inst).iterdir()}
    except FileNotFoundError:
        return
    with inst.catalog.read_session() as session:
        statement = select(Document.id).where(Document.id.in_(folders), Document.status.in_(IN_PROGRESS))
        needed = set(session.scalars(statement)) if folders else set()
    for document_id, path in folders.items():
        if document_id not in needed:
            shutil.rmtree(path, ignore_errors=True)


def _pieces(inst: Installation) -> Path:
    return inst.settings.home.absolute() / "pieces"


MOST_OF_TARGET = 4
"""Long documents of one target that a run works on at a time; more of them wait in the queue."""


@dataclass(eq=False, slots=True)
class LongDocument:
    """A document that is read in pieces; ``task`` is the one that is done when they are there.

    ``missing`` and ``in_work`` are numbers of pieces, ``whole`` are the files of the pieces that the task
    was given. ``seconds`` of work were spent on it. ``warnings`` and ``usage`` are those of splitting.
    """

    claim: Claim
    target: LoadedParser | LoadedClassifier
    task: ExpandTask
    wanted: Pieces
    folder: PieceFolder
    missing: list[int]
    in_work: set[int] = field(default_factory=set)
    is_last: bool = False
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    usage: ModelUsage | None = None

    @property
    def pages_read(self) -> int:
        left = {*self.missing, *self.in_work}
        done = (pages for number, pages in enumerate(self.wanted.pages) if number not in left)
        return sum(pages.count(",") + 1 for pages in done)

    def is_waiting(self, may_be_lengthy: bool) -> bool:
        """Return whether a task of it can be started; the last one is lengthy."""
        return bool(self.missing) or (may_be_lengthy and not self.in_work and not self.is_last)


class LongDocuments:
    """Long documents in work; those of one target take turns."""

    def __init__(
        self, inst: Installation, pool: WorkerPool[ExpandTask, ExpansionResult], endpoints: Endpoints
    ) -> None:
        self._inst = inst
        self._pool = pool
        self._endpoints = endpoints
        self._documents: dict[str, LongDocument] = {}
        self._tasks: dict[str, tuple[LongDocument, int | None]] = {}
        self._turns: FairQueue[str] = FairQueue()
        self._shown: dict[str, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._documents)

    def __iter__(self) -> Iterator[LongDocument]:
        return iter(list(self._documents.values()))

    @property
    def has_tasks(self) -> bool:
        """Whether tasks of them are in the pool."""
        return bool(self._tasks)

    def has_room(self, target_id: str) -> bool:
        """Return whether another document of the target can be taken."""
        return sum(document.claim.target_id == target_id for document in self) < MOST_OF_TARGET

    def take(
        self,
        claim: Claim,
        target: LoadedParser | LoadedClassifier,
        task: ExpandTask,
        outcome: TaskOutcome[ExpansionResult],
        wanted: Pieces,
    ) -> None:
        """Have the pieces read that a document's task wants, but for those that are kept."""
        if wanted.purpose == "read" and task.split is not None:
            task = replace(task, split=None)
        reading = reading_of(task.read)
        if wanted.purpose == "split" and task.split is not None:
            reading = task.split.reading
        folder = PieceFolder(self._inst, claim.document_id, claim.sha256, reading)
        numbers = folder.numbers()
        missing = [number for number in range(len(wanted.pages)) if number not in numbers]
        expansion = outcome.result or ExpansionResult()
        before = self._documents.get(claim.document_id)
        self._documents[claim.document_id] = LongDocument(
            claim,
            target,
            task,
            wanted,
            folder,
            missing,
            seconds=outcome.seconds + (before.seconds if before else 0.0),
            warnings=expansion.warnings,
            usage=expansion.usage,
        )

    def waiting(self, may_be_lengthy: bool) -> dict[str, str]:
        """Return the targets of documents of which a task can be started, and their teams."""
        return {
            document.claim.target_id: document.claim.team_id
            for document in self
            if document.is_waiting(may_be_lengthy)
        }

    def start(self, target_id: str, may_be_lengthy: bool) -> None:
        """Start the next task of a target that is ``waiting``."""
        ready = [
            document
            for document in self
            if document.claim.target_id == target_id and document.is_waiting(may_be_lengthy)
        ]
        chosen = self._documents[self._turns.next([document.claim.document_id for document in ready])]
        # A task whose file can't be fetched fails as one whose file is missing.
        self._inst.files.fetch([chosen.claim.sha256])
        if chosen.missing:
            number = chosen.missing.pop(0)
            chosen.in_work.add(number)
            key = f"{chosen.claim.key} {chosen.wanted.purpose} {number}"
            piece = Piece(chosen.wanted.purpose, chosen.wanted.pages[number], is_first=number == 0)
            self._tasks[key] = chosen, number
            self._pool.submit(
                key,
                replace(chosen.task, piece=piece),
                [self._inst.files.path(chosen.claim.sha256)],
                slow=True,
            )
            return
        chosen.is_last = True
        key = f"{chosen.claim.key} {chosen.wanted.purpose}"
        task = replace(chosen.task, kept=KeptPieces(chosen.wanted.purpose))
        self._tasks[key] = chosen, None
        pieces = chosen.folder.whole(len(chosen.wanted.pages))
        submit(self._inst, self._pool, self._endpoints, key, chosen.claim, task, chosen.target, pieces)

    def progress(self) -> dict[str, tuple[int, int]]:
        """Return how many pages were read and are to be read, of documents where that has changed."""
        read = {
            document.claim.document_id: (document.pages_read, document.wanted.page_count) for document in self
        }
        changed = {key: pages for key, pages in read.items() if self._shown.get(key) != pages}
        self._shown = read
        return changed

    def accept(
        self, outcome: TaskOutcome[ExpansionResult]
    ) -> tuple[LongDocument, TaskOutcome[ExpansionResult] | None] | None:
        """Take the outcome of a task; return its document, and the document's outcome if it is done.

        Return None for another document's task.
        """
        if outcome.key not in self._tasks:
            return None
        document, number = self._tasks.pop(outcome.key)
        document_id = document.claim.document_id
        document.seconds += outcome.seconds
        self._turns.charge(document_id, outcome.seconds)
        if outcome.error is None and number is not None:
            try:
                document.folder.keep(number, outcome.outputs)
            except WorkerEnded as error:
                outcome = replace(outcome, result=None, error=error)
            else:
                document.in_work.discard(number)
                if outcome.outputs is not None:
                    shutil.rmtree(outcome.outputs, ignore_errors=True)
                return document, None
        result = outcome.result
        if result is not None and result.wanted is not None:
            self.take(document.claim, document.target, document.task, outcome, result.wanted)
            return document, None
        self.drop(document_id)
        if result is not None:
            result = of_undivided(result, document.warnings, document.usage)
        return document, replace(outcome, result=result, seconds=document.seconds)

    def drop(self, document_id: str) -> None:
        """Give a document up, and end its tasks; its pieces are kept."""
        self._documents.pop(document_id, None)
        for key, (document, _) in list(self._tasks.items()):
            if document.claim.document_id == document_id:
                del self._tasks[key]
                self._pool.drop(key)
