"""What is wrong with an installation, and how it is put right.

Nothing here is needed while all goes well: documents, files and tables keep in step by themselves. It finds
what disks, restored backups and defects have left.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import select, text

from docduck import __version__, clock, plugins
from docduck.catalog.database import lease_clock
from docduck.catalog.models import Document
from docduck.errors import Transient
from docduck.extraction.models import usable_models
from docduck.local_model.status import local_status
from docduck.service.classifiers.classifier_listing import every_classifier
from docduck.service.classifiers.classifiers import ClassifierView
from docduck.service.core.installation import Installation
from docduck.service.outputs import warehouse_sync
from docduck.service.parsers.parsers import ParserView, every_parser, parsers_with_ids
from docduck.service.processing.document_queue import backlogs, release_lost
from docduck.service.processing.reading_homes import reading_homes
from docduck.service.upkeep.health import model_trouble, problems, reading_trouble
from docduck.service.upkeep.housekeeping import FILE_GRACE_SECONDS, FIRST_BYTES, registered

MOST_CLOCK_SECONDS = 5.0
"""By which the clocks of this machine and of the catalog's server may differ."""

ACTOR = "doctor"

_NAMED = 10


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong in a ``part``; ``can_be_fixed`` by ``examine``, or ``is_fixed`` already."""

    part: str
    message: str
    can_be_fixed: bool = False
    is_fixed: bool = False


def examine(
    inst: Installation, *, fix: bool = False, on_progress: Callable[[int, int], None] | None = None
) -> list[Finding]:
    """Return what is wrong; with ``fix``, put right what can be without losing anything.

    docduck may run meanwhile. ``on_progress`` is called with (checks done, checks in all).
    """
    findings: list[Finding] = []
    for done, check in enumerate(_CHECKS):
        if on_progress:
            on_progress(done, len(_CHECKS))
        try:
            findings += check(inst, fix)
        except Transient as error:
            findings.append(Finding("checks", f"not all could be checked: {error.message}"))
    return findings


def _service(inst: Installation, fix: bool) -> Iterator[Finding]:
    for part, problem in problems(inst).items():
        yield Finding(part, problem)
    if trouble := reading_trouble(inst):
        yield Finding("reading", trouble)
    if trouble := model_trouble(inst):
        yield Finding("model", trouble)
    for broken in plugins.broken():
        yield Finding("packages", broken)


def _models(inst: Installation, fix: bool) -> Iterator[Finding]:
    """Check models.yaml, that the models that settings name are there, and the servers of this machine's."""
    models = usable_models(inst.settings)
    if models.problem:
        yield Finding("models", models.problem)
    owners: list[tuple[str, ParserView | ClassifierView]] = [
        *(("parser", parser) for parser in every_parser(inst)),
        *(("classifier", classifier) for classifier in every_classifier(inst)),
    ]
    for kind, owner in owners:
        name = owner.settings.get("model")
        if isinstance(name, str) and name not in models.by_name:
            yield Finding(
                "models",
                f"{kind} '{owner.slug}' names the language model '{name}', which is not set up: its "
                "documents are read without one. Add it to models.yaml, or choose another in its settings",
            )
    for options in models.by_name.values():
        if options.local is None:
            continue
        model = local_status(options.local)
        for message in dict.fromkeys(filter(None, [model.problem, model.failure])):
            yield Finding(
                "model", f"{options.label} can't be used, and documents are read without it: {message}"
            )


def _catalog(inst: Installation, fix: bool) -> Iterator[Finding]:
    """Check SQLite's file, or how far the clock of PostgreSQL's server is from this machine's."""
    with inst.catalog.read_session() as session:
        if not inst.catalog.is_sqlite:
            before, theirs = clock.now(), lease_clock(session)
            apart = max(before - theirs, theirs - clock.now()).total_seconds()
            if apart > MOST_CLOCK_SECONDS:
                yield Finding(
                    "clock",
                    f"this machine's clock and that of the catalog's server are {apart:.0f} s apart, so that "
                    "times of documents and of deliveries are wrong; set both by NTP",
                )
            return
        damage = [problem for problem in session.scalars(text("PRAGMA quick_check(3)")) if problem != "ok"]
        if damage:
            yield Finding(
                "catalog",
                f"{inst.catalog.engine.url.database} is damaged ({'; '.join(damage)}): stop docduck and "
                "restore the catalog from a backup",
            )


def _leases(inst: Installation, fix: bool) -> Iterator[Finding]:
    lost = sum(backlog.expired for backlog in backlogs(inst).values())
    if lost:
        if fix:
            release_lost(inst, ACTOR)
        yield Finding(
            "queue", f"{_many(lost, 'document')} in the work of a process that is gone", True, is_fixed=fix
        )


def _readers(inst: Installation, fix: bool) -> Iterator[Finding]:
    for reading in reading_homes(inst):
        if reading.is_lost:
            yield Finding("reading", f"{reading.place} was lost while it read; others go on with its work")
        elif reading.version != __version__:
            yield Finding(
                "versions",
                f"{reading.place} reads with docduck {reading.version}, and this is docduck {__version__}: "
                "install the same on all machines",
            )


def _files(inst: Installation, fix: bool) -> Iterator[Finding]:
    before = (clock.now() - dt.timedelta(seconds=FILE_GRACE_SECONDS)).timestamp()

    def is_left(sha256: str) -> bool:
        """Return whether a file was stored before; delete it to put that right."""
        if fix:
            return inst.files.remove(sha256, before)
        stored_at = inst.files.stored_at(sha256)
        return stored_at is not None and stored_at <= before

    missing: list[str] = []
    unknown = 0
    for first_byte in FIRST_BYTES:
        known = registered(inst, first_byte)
        present = set(inst.files.hashes(first_byte))
        missing += sorted(sha256 for sha256, refs in known.items() if refs > 0 and sha256 not in present)
        unknown += sum(map(is_left, present.difference(known)))
    if missing:
        yield Finding("files", _missing(inst, missing))
    if unknown:
        yield Finding(
            "files", f"{_many(unknown, 'stored file')} that nothing in the catalog names", True, is_fixed=fix
        )


def _missing(inst: Installation, hashes: Sequence[str]) -> str:
    with inst.catalog.read_session() as session:
        names = session.execute(
            select(Document.id, Document.file_name)
            .where(Document.sha256.in_(hashes[:_NAMED]))
            .order_by(Document.id)
            .limit(_NAMED)
        )
        documents = [f"{name!r} ({document_id})" for document_id, name in names]
    named = f"among them those of {', '.join(documents)}" if documents else ", ".join(hashes[:_NAMED])
    return (
        f"{_many(len(hashes), 'stored file')} missing from the file store: {named}. Restore them from a "
        "backup; their documents can't be read again, but keep their values"
    )


def _tables(inst: Installation, fix: bool) -> Iterator[Finding]:
    differing = warehouse_sync.differing_tables(inst)
    parsers = parsers_with_ids(inst, differing)
    if fix and parsers:
        warehouse_sync.rebuild_tables(inst, parsers)
        warehouse_sync.publish(inst, force=True)
    for parser in parsers:
        documents, rows = differing[parser.id]
        yield Finding(
            "tables",
            f"{parser.slug}.documents has {rows} rows, the catalog {_many(documents, 'document')}",
            can_be_fixed=True,
            is_fixed=fix,
        )


_CHECKS: Sequence[Callable[[Installation, bool], Iterator[Finding]]] = (
    _service,
    _models,
    _catalog,
    _leases,
    _readers,
    _files,
    _tables,
)


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
