"""Sources of all kinds in one pipeline file: their sensors, their ticks, and their assets in Dagster."""

from __future__ import annotations

import mailbox
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import obstore
import pytest

from docduck.service.core.installation import open_installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.settings import Settings
from tests.mail_server import PASSWORD, running_mail_server
from tests.object_store import KEYS, new_bucket, object_store
from tests.outbound.web import ok, running
from tests.service.sources.test_mailbox_source import mail
from tests.system.docduck import Docduck
from tests.waiting import wait_for

PRODUCT = (
    "docduck.sources",
    "docduck.service.pipeline",
    "docduck.service.sources",
    "dagster_docduck.orchestration",
)
SOURCES = ("scanner", "price_list", "gazette", "post", "old_mails", "partners")
_SECONDS = 120.0
_SENSORS = """{ repositoriesOrError { ... on RepositoryConnection { nodes { sensors {
    name description
    sensorState { status ticks(limit: 20) { skipReason error { message } } } } } } } }"""
_ASSETS = "{ assetNodes { assetKey { path } dependencyKeys { path } } }"


@dataclass(frozen=True)
class World:
    """A docduck whose sources have a document each, and the places of the sources."""

    docduck: Docduck
    places: dict[str, str]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("sources")
    home = folder / "home"
    docduck = Docduck(home, backstop_seconds=10)
    inst = open_installation(Settings(home=home))
    create_parser(inst, inst.team_id, NewParser("Papers", slug="papers"))
    inst.close()
    with running_mail_server() as mails, running() as (site, _), object_store() as store:
        site.pages |= {"/prices.txt": ok(b"prices", 'ETag: "1"'), "/gazette/1.txt": ok(b"gazette")}
        site.pages["/gazette/"] = ok(b'<a href="1.txt">1</a>', "Content-Type: text/html")
        mails.deliver("ann", mail(1))
        mailbox.Maildir(folder / "Maildir").add(mail(2))
        bucket = new_bucket(store)
        obstore.put(bucket, "outgoing/a.txt", b"an object")
        _drop(folder / "scans" / "a.txt")
        places = {
            "scanner": str(folder / "scans"),
            "price_list": site.url("/prices.txt"),
            "gazette": site.url("/gazette/"),
            "post": f"imaps://localhost:{mails.tls_port}",
            "old_mails": str(folder / "Maildir"),
            "partners": f"s3://{bucket.config['bucket']}/outgoing",
        }
        (home / "pipeline.yaml").write_text(_pipeline(places, mails.ca, store))
        try:
            docduck.start()
            yield World(docduck, places)
            docduck.stop()
        finally:
            docduck.kill()


def _drop(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("a scan")


def _pipeline(places: dict[str, str], ca: Path, store: str) -> str:
    return f"""sources:
- {{name: scanner, folder: {places["scanner"]}, parser: papers, folders: true}}
- {{name: price list, url: "{places["price_list"]}", parser: papers, every: 5s, private: true}}
- {{name: gazette, url: "{places["gazette"]}", links: "*.txt", parser: papers, every: 5s, private: true}}
- name: post
  mailbox: {places["post"]}
  username: ann
  password: {PASSWORD}
  ca: {ca}
  every: 5s
  parser: papers
- {{name: old mails, mailbox: {places["old_mails"]}, parser: papers, every: 5s}}
- name: partners
  bucket: {places["partners"]}
  endpoint: {store}
  access_key: {KEYS["access_key"]}
  secret_key: {KEYS["secret_key"]}
  parser: papers
  every: 5s
"""


def _sensors(docduck: Docduck) -> dict[str, Any]:
    nodes = docduck.graphql(_SENSORS)["repositoriesOrError"]["nodes"]
    return {one["name"]: one for node in nodes for one in node["sensors"]}


def _are_told(world: World) -> bool:
    """Whether each source has a tick that says that nothing is new there."""
    sensors = _sensors(world.docduck)
    return all(
        any(
            (tick["skipReason"] or "").startswith("Nothing new in") and place in tick["skipReason"]
            for tick in sensors[f"{name}_sensor"]["sensorState"]["ticks"]
        )
        for name, place in world.places.items()
    )


@pytest.mark.extended
def test_all_kinds_of_sources_bring_their_document_and_say_so(world: World) -> None:
    docduck = world.docduck
    question = "SELECT count(*) FROM papers.documents"
    wait_for(lambda: docduck.query(question) == [(len(SOURCES),)], _SECONDS, lambda: docduck.query(question))
    wait_for(lambda: _are_told(world), _SECONDS, lambda: _sensors(docduck))
    sensors = _sensors(docduck)
    for name, place in world.places.items():
        sensor = sensors[f"{name}_sensor"]
        assert sensor["sensorState"]["status"] == "RUNNING"
        assert place in sensor["description"]
        assert not any(tick["error"] for tick in sensor["sensorState"]["ticks"])
    assets = {tuple(one["assetKey"]["path"]): one for one in docduck.graphql(_ASSETS)["assetNodes"]}
    upstream = {tuple(one["path"]) for one in assets[("papers", "documents")]["dependencyKeys"]}
    assert {("sources", name) for name in SOURCES} <= upstream
    assert {("sources", name) for name in SOURCES} <= assets.keys()
