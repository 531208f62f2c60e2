"""The nightly upkeep of the component."""

from __future__ import annotations

import datetime as dt

from dagster import DagsterInstance, Definitions
from sqlalchemy import update

from dagster_docduck.component.upkeep import UPKEEP_SCHEDULE
from dagster_docduck.resources.installation import use_installation
from docduck import clock
from docduck.catalog.models import Document
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.statuses import Status
from tests.conftest import MakeInstallation
from tests.service.core.documents import upload


def test_expired_documents_are_deleted_with_their_files(make_installation: MakeInstallation) -> None:
    inst = make_installation(file_grace_seconds=0.001)
    parser = create_parser(
        inst, inst.team_id, NewParser(template_key="invoice", settings={"retentionDays": 1})
    )
    upload(inst, inst.team_id, parser.slug, b"Total: 1", "a.txt")
    early = clock.now() - dt.timedelta(days=2)
    with inst.catalog.transaction() as session:
        session.execute(update(Document).values(status=Status.PROCESSED, created_at=early))
    assert upkeep(inst) == {"documents": 1, "files": 1, "invoices": 1}
    assert list(inst.files.hashes()) == []


def upkeep(inst: Installation) -> dict[str, object]:
    """Run the schedule's job; return the metadata of its output."""
    defs = Definitions(schedules=[UPKEEP_SCHEDULE], resources={"installation": use_installation(inst)})
    with DagsterInstance.ephemeral() as instance:
        done = defs.resolve_job_def("docduck_upkeep").execute_in_process(instance=instance)
    [event] = [one for one in done.all_events if one.is_successful_output]
    return {name: one.value for name, one in event.step_output_data.metadata.items()}
