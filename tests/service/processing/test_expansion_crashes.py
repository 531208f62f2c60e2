"""Runs that are ended while mails and archives are in hand: what is in them is registered once."""

from __future__ import annotations

import random
import signal
from collections import Counter
from collections.abc import Iterator

import pytest

from docduck.service.core.installation import Installation
from docduck.service.documents.reprocessing import reprocess
from docduck.service.processing.document_queue import backlogs
from docduck.service.processing.processing import process_queue
from tests.conftest import MakeInstallation
from tests.documents.formats.office.files import zipped
from tests.service.core.documents import make_parser, upload
from tests.service.core.nursery import Nursery
from tests.service.sources.archives import parts
from tests.service.sources.intake_world import assert_files_match, ledger_of
from tests.service.sources.mails import known, mail, paper

SCRIPT = """
from threading import Timer
from docduck.service.processing import attachments, processing, results, splitting
from docduck.service.sources import ledger

def dies_after(seconds):
    # Counted from the first document that comes back from a worker.
    real, timer = processing.extraction_outcome, Timer(seconds, os.kill, (os.getpid(), signal.SIGKILL))
    def wrapped(*args):
        if not timer.is_alive():
            timer.start()
        return real(*args)
    processing.extraction_outcome = wrapped

POINTS = {
    "read": lambda count: dies_at(processing._QueueRun, "flush", count, before=True),
    "old values removed": lambda count: dies_at(results, "_replace_results", count),
    "registered": lambda count: dies_at(attachments, "register", count),
    "members registered": lambda count: dies_at(splitting, "register", count),
    "first member takes the row": lambda count: dies_at(splitting, "apply_transitions", count),
    "remembered": lambda count: dies_at(ledger, "write", count),
    "moved": lambda count: dies_at(results, "apply_transitions", count),
    "all but committed": lambda count: dies_at(processing, "store_outcomes", count),
    "committed": lambda count: dies_at(processing._QueueRun, "flush", count),
}

def work(inst, order):
    if order["dies_after"] is not None:
        dies_after(order["dies_after"])
    processing.process_queue(inst)
    return 0
"""


class Drains(Nursery):
    """Drains in processes of their own."""

    def drain(
        self,
        inst: Installation,
        parser_id: str,
        *,
        point: str = "",
        dies_after: float | None = None,
        processes: int = 1,
    ) -> list[int]:
        """Gives the processes' exit codes: 9 died at ``point``, -9 was killed ``dies_after`` seconds."""
        settings = {"workers": 1, "run_idle_seconds": 0, "publish_seconds": 0}
        order = {"parser": parser_id, "dies_after": dies_after}
        return self.run(inst, settings, order, dies_at=(point, 1), processes=processes)


@pytest.fixture(scope="module")
def nursery() -> Iterator[Drains]:
    made = Drains(SCRIPT)
    yield made
    made.close()


def deliver(inst: Installation, slug: str, mails: int, files: int) -> list[str]:
    """Mails with files of their own and one that all of them have."""
    ids = []
    for number in range(mails):
        own = [(f"{number}-{i}.txt", paper(f"A-{number}-{i}")) for i in range(files - 1)]
        body = f"Number: M-{number}" if number % 2 else "See attached"
        data = mail([*own, ("terms.txt", b"Our terms")], body=body)
        ids.append(upload(inst, inst.team_id, slug, data, f"{number}.eml"))
    return ids


def deliver_archives(inst: Installation, slug: str, archives: int, files: int) -> list[str]:
    """Archives with files of their own and one that all of them have."""
    ids = []
    for number in range(archives):
        own = {f"{number}-{i}.txt": paper(f"Z-{number}-{i}") for i in range(files - 1)}
        data = zipped({**own, "terms.txt": b"Our terms"})
        ids.append(upload(inst, inst.team_id, slug, data, f"{number}.zip", external_id=f"Z{number}"))
    return ids


def assert_members_once(inst: Installation, archives: list[str], files: int) -> None:
    found = parts(inst)
    assert {(one.status, one.split["total"]) for one in found if one.split} == {("processed", files)}
    assert sorted((one.detail["archive"], one.detail["part"]) for one in found) == sorted(
        (archive, part) for archive in archives for part in range(1, files + 1)
    )
    assert {one.id for one in found if one.detail["part"] == 1} == set(archives)
    assert {one.external_id for one in found} == {
        f"Z{number}{suffix}"
        for number in range(len(archives))
        for suffix in ("", *(f"-{part}" for part in range(2, files + 1)))
    }
    assert len(ledger_of(inst)) == len(archives)
    assert backlogs(inst) == {}
    assert_files_match(inst)


def assert_each_once(inst: Installation, mails: list[str], files: int) -> None:
    found = known(inst)
    by_id = {one.id: one for one in found}
    names = {f"{number}.eml": by_id.pop(mail_id) for number, mail_id in enumerate(mails)}
    assert [name == one.name for name, one in names.items()] == [
        bool(number % 2) for number in range(len(mails))
    ], "a mail with an empty body left its document to an attachment"
    containers = {one.id: one.name for one in found if one.name.endswith(".eml")}
    empty = {id_ for id_, name in containers.items() if not int(name.removesuffix(".eml")) % 2}
    assert {one.id for one in found if one.status == "skipped"} == empty
    assert {one.status for one in found if one.id not in empty} == {"processed"}
    assert Counter(one.detail.get("mail") for one in found) == {None: len(mails)} | dict.fromkeys(
        containers, files
    )
    assert len({(one.detail.get("mail"), one.name) for one in found}) == len(mails) * (files + 1)
    assert len(ledger_of(inst)) == len(mails) * files
    assert backlogs(inst) == {}
    assert_files_match(inst)


@pytest.mark.extended
@pytest.mark.parametrize(
    "point",
    ["read", "old values removed", "registered", "remembered", "moved", "all but committed", "committed"],
)
def test_an_end_at_any_point_loses_and_doubles_nothing(
    make_installation: MakeInstallation, nursery: Drains, point: str
) -> None:
    inst = make_installation(workers=1)
    parser = make_parser(inst)
    mails = deliver(inst, parser.slug, 2, 2)
    assert nursery.drain(inst, parser.id, point=point) == [9], "it was to end in the middle"
    process_queue(inst)
    assert_each_once(inst, mails, 2)


@pytest.mark.extended
@pytest.mark.parametrize(
    "point",
    [
        "read",
        "old values removed",
        "members registered",
        "remembered",
        "first member takes the row",
        "all but committed",
        "committed",
    ],
)
def test_an_end_at_any_point_splits_no_archive_by_half(
    make_installation: MakeInstallation, nursery: Drains, point: str
) -> None:
    inst = make_installation(workers=1)
    parser = make_parser(inst)
    archives = deliver_archives(inst, parser.slug, 2, 3)
    assert nursery.drain(inst, parser.id, point=point) == [9], "it was to end in the middle"
    process_queue(inst)
    assert_members_once(inst, archives, 3)


@pytest.mark.extended
def test_kills_at_random_moments_split_each_archive_once(any_inst: Installation, nursery: Drains) -> None:
    parser = make_parser(any_inst)
    archives = deliver_archives(any_inst, parser.slug, 40, 3)
    dice, killed = random.Random(12), 0
    for _ in range(5):
        codes = nursery.drain(any_inst, parser.id, dies_after=dice.uniform(0, 0.5), processes=2)
        killed += -signal.SIGKILL in codes
        done = [one.id for one in parts(any_inst) if one.status == "processed"]
        reprocess(any_inst, any_inst.team_id, done)
    assert killed >= 3, "most were to be killed at work"
    process_queue(any_inst)
    assert_members_once(any_inst, archives, 3)


@pytest.mark.extended
def test_kills_at_random_moments_lose_and_double_nothing(any_inst: Installation, nursery: Drains) -> None:
    parser = make_parser(any_inst)
    mails = deliver(any_inst, parser.slug, 40, 3)
    dice, killed = random.Random(11), 0
    for _ in range(5):
        codes = nursery.drain(any_inst, parser.id, dies_after=dice.uniform(0, 0.5))
        killed += codes == [-signal.SIGKILL]
        reprocess(
            any_inst, any_inst.team_id, [one.id for one in known(any_inst) if one.status == "processed"]
        )
    assert killed >= 3, "most were to be killed at work"
    process_queue(any_inst)
    assert_each_once(any_inst, mails, 3)


@pytest.mark.slow
def test_two_runs_at_once_double_nothing(any_inst: Installation, nursery: Drains) -> None:
    parser = make_parser(any_inst)
    mails = deliver(any_inst, parser.slug, 30, 3)
    assert nursery.drain(any_inst, parser.id, processes=2) == [0, 0]
    process_queue(any_inst)
    assert_each_once(any_inst, mails, 3)
