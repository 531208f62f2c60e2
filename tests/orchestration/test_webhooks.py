"""Deliveries to webhooks by Dagster, where no API sends them."""

from __future__ import annotations

import datetime as dt

import pytest
from dagster import DagsterInstance
from sqlalchemy import update

from dagster_docduck.deliveries import HEAD_START_SECONDS, RETRY_SECONDS
from docduck import clock
from docduck.catalog.models import WebhookDelivery
from docduck.owner import this_process
from docduck.service.core.installation import Installation
from docduck.service.webhooks.delivery_queue import claim
from tests.conftest import MakeInstallation
from tests.orchestration.parts import tick
from tests.orchestration.test_jobs import execute, metadata
from tests.orchestration.test_sensors import add_run
from tests.service.core.documents import make_parser
from tests.service.reviews.reviews_world import read_one
from tests.service.webhooks.receiver import INSECURE, Receiver, deliveries, subscribe

pytestmark = pytest.mark.slow


@pytest.fixture
def webhook_id(inst: Installation, receiver: Receiver) -> str:
    """A webhook with an event that waits for longer than the API would take."""
    parser = make_parser(inst)
    webhook_id, _ = subscribe(inst, parser.id, receiver.url(), ["document.exported"])
    read_one(inst, parser)
    return webhook_id


@pytest.fixture
def inst(make_installation: MakeInstallation) -> Installation:
    return make_installation(**INSECURE)


def neglect(inst: Installation) -> None:
    late = clock.now() - dt.timedelta(seconds=HEAD_START_SECONDS + 1)
    with inst.catalog.transaction() as session:
        session.execute(update(WebhookDelivery).values(next_attempt_at=late))


def test_the_job_sends_what_is_due(
    inst: Installation, instance: DagsterInstance, webhook_id: str, receiver: Receiver
) -> None:
    assert metadata(execute(inst, instance, "deliver_webhooks")) == {"attempts": 1}
    assert receiver.events == ["document.exported"]
    assert [one.status for one in deliveries(inst)] == ["succeeded"]
    assert metadata(execute(inst, instance, "deliver_webhooks")) == {"attempts": 0}


def test_the_sensor_starts_one_run_where_nobody_sends(
    inst: Installation, instance: DagsterInstance, webhook_id: str
) -> None:
    request, words, _ = tick(inst, instance, "due_deliveries")
    assert (request, words) == (None, "No delivery to a webhook waits.")
    neglect(inst)
    request, _, _ = tick(inst, instance, "due_deliveries")
    assert request is not None
    run = add_run(instance, None, job="deliver_webhooks")
    request, words, _ = tick(inst, instance, "due_deliveries")
    assert (request, words) == (None, "A run sends the deliveries that are due.")
    instance.report_run_failed(run)
    request, words, _ = tick(inst, instance, "due_deliveries")
    assert (request, words) == (None, f"The last run failed less than {RETRY_SECONDS} s ago.")


def test_the_sensor_leaves_them_to_an_api_that_sends(
    inst: Installation, instance: DagsterInstance, webhook_id: str
) -> None:
    read_one(inst, make_parser(inst, "Other"))
    (mine,) = claim(inst, {webhook_id: 1}, this_process())
    parser = make_parser(inst, "More")
    subscribe(inst, parser.id, "http://127.0.0.1:8181/", ["document.exported"])
    read_one(inst, parser)
    late = clock.now() - dt.timedelta(minutes=1)
    with inst.catalog.transaction() as session:
        others = WebhookDelivery.id != mine.id
        session.execute(update(WebhookDelivery).where(others).values(next_attempt_at=late))
    request, words, _ = tick(inst, instance, "due_deliveries")
    assert (request, words) == (None, "No delivery to a webhook waits.")
