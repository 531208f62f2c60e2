"""Classifiers as assets: upstream of their parsers, and reported by the runs that route their documents."""

from __future__ import annotations

from dagster import AssetKey, DagsterInstance

from dagster_docduck.assets.project import current_signature, load_project
from docduck.service.classifiers.classifiers import update_classifier
from docduck.service.core.installation import Installation
from tests.orchestration.parts import repository, run
from tests.service.core.documents import make_parser
from tests.service.processing.test_gate import INVOICE, LEASE
from tests.service.processing.test_routing import OTHER, add, make_classifier

POST = AssetKey(["classifiers", "post"])


def test_a_classifier_is_upstream_of_the_parsers_that_it_feeds(inst: Installation) -> None:
    invoices, _ = make_parser(inst), make_parser(inst, "Leases")
    rest = make_parser(inst, "Rest")
    classifier_id = make_classifier(inst, {"Invoice": invoices}, fallback=rest)
    graph = repository(inst).asset_graph
    for slug, is_fed in (("invoices", True), ("rest", True), ("leases", False)):
        assert (POST in graph.get(AssetKey([slug, "documents"])).parent_keys) == is_fed
    assert graph.get(POST).group_name == "sources"
    make_classifier(inst, {"Invoice": invoices})
    project = load_project(inst)
    assert [one.id for one in project.classifiers] == [classifier_id], "the older one with the key"
    assert [one for one in project.problems if "has no asset" in one]
    before = current_signature(inst)
    update_classifier(inst, inst.team_id, classifier_id, {"name": "Mail"})
    assert current_signature(inst) != before


def test_the_run_that_routes_documents_reports_their_classifier(
    inst: Installation, instance: DagsterInstance
) -> None:
    invoices, leases = make_parser(inst), make_parser(inst, "Leases")
    classifier_id = make_classifier(inst, {"Invoice": invoices, "Lease agreement": leases})
    add(inst, classifier_id, {"i.txt": INVOICE, "l.txt": LEASE, "o.txt": OTHER})
    assert run(inst, instance, [("invoices", "documents")]).success
    event = instance.get_latest_materialization_event(POST)
    assert event is not None and event.asset_materialization is not None
    counts = {name: one.value for name, one in event.asset_materialization.metadata.items()}
    assert counts == {"documents": 3, "routed": 2, "skipped": 1, "failed": 0}
