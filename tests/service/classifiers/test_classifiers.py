from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import Classifier, ClassifierRule, Document, Team
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import new_id
from docduck.service.classifiers.classifier_listing import (
    ClassifierCounts,
    classifier_counts,
    find_classifiers,
)
from docduck.service.classifiers.classifiers import (
    ClassifierView,
    create_classifier,
    delete_classifier,
    get_classifier,
    update_classifier,
)
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import delete_parser
from tests.service.classifiers.classifiers_world import make_classifier, unrouted
from tests.service.core.catalog import audited
from tests.service.core.documents import make_parser, set_document, upload


def change(inst: Installation, classifier: ClassifierView, **changes: Any) -> ClassifierView:
    return update_classifier(inst, inst.team_id, classifier.id, changes, "tester")


def rules_of(classifier: ClassifierView) -> dict[str, str]:
    return {rule.label: rule.id for rule in classifier.rules}


def test_a_classifier_is_kept_as_it_was_made(any_inst: Installation) -> None:
    other = make_parser(any_inst, "Others")
    made, parsers = make_classifier(
        any_inst,
        " Invoices",
        "Receipts",
        description="All mail",
        routing={"fallback": {"action": "target_parser", "targetParserId": other.id}, "instructions": "x"},
        accepted_file_types=["application/PDF"],
        split_documents={"enabled": True, "mode": "smart"},
        email_parsing={"parseEmailBody": False},
    )
    assert get_classifier(any_inst, any_inst.team_id, made.id) == made
    assert get_classifier(any_inst, any_inst.team_id, "Mail") == made
    assert [(rule.label, rule.target_parser_id) for rule in made.rules] == [
        ("Invoices", parsers[0].id),
        ("Receipts", parsers[1].id),
    ]
    assert made.routing["fallback"] == {"action": "route", "targetParserId": other.id}
    assert (made.instructions, made.description, made.is_active) == ("x", "All mail", True)
    assert made.settings == {
        "acceptedFileTypes": ["application/pdf"],
        "splitDocuments": {"enabled": True, "mode": "ai"},
        "emailParsing": {"parseEmailBody": False},
    }
    assert made.target_ids == {parsers[0].id, parsers[1].id, other.id}


def wrong(path: str, message: str, routing: Any = None, **settings: Any) -> Any:
    return pytest.param(path, message, routing, settings, id=path)


P = "01890000-0000-7000-8000-000000000000"
RULE = {"label": "A", "targetParserId": P}


def rule(**changes: Any) -> dict[str, Any]:
    return {**RULE, **changes}


def fallback(**given: Any) -> dict[str, Any]:
    return {"rules": [RULE], "fallback": given}


@pytest.mark.parametrize(
    ("path", "message", "routing", "settings"),
    [
        wrong("routing.rules", "is required", {}),
        wrong("routing.rules", "at least 1 item", {"rules": []}),
        wrong("routing", "must be an object", []),
        wrong("routing.rules.1.label", "also that of routing.rules.0", {"rules": [RULE, rule(label="a")]}),
        wrong("routing.rules.0.label", "must not be blank", {"rules": [rule(label="  ")]}),
        wrong("routing.rules.0.label", "control characters", {"rules": [rule(label="a\nb")]}),
        wrong("routing.rules.0.targetParserId", "Invalid target", {"rules": [rule(targetParserId="x")]}),
        wrong("routing.rules.0.extra", "Unknown property: extra", {"rules": [rule(extra=1)]}),
        wrong("routing.rules.0.id", "has no rule", {"rules": [rule(id=P)]}),
        wrong("routing.fallback.action", "must be 'skip' or 'route'", fallback(action="x")),
        wrong("routing.fallback.targetParserId", "the action 'skip'", fallback(targetParserId=P)),
        wrong("routing.fallback.targetParserId", "the action 'route' needs it", fallback(action="parser")),
        wrong("routing.instructions", "must be a string", {"rules": [RULE], "instructions": None}),
        wrong("parsePages", "Unknown property: parsePages", parsePages="1"),
        wrong("acceptedFileTypes", "no MIME type", accepted_file_types=["pdf"]),
        wrong("splitDocuments.everyXPages", "needs it", split_documents={"enabled": True}),
        wrong(
            "splitDocuments.partitionKeySource",
            "a classifier has no fields",
            split_documents={"mode": "partitionKey", "partitionKey": "Number"},
        ),
        wrong("emailParsing.senderFilter.mode", "must be", email_parsing={"senderFilter": {"mode": "some"}}),
    ],
)
def test_wrong_settings_are_named(
    inst: Installation, path: str, message: str, routing: Any, settings: dict[str, Any]
) -> None:
    parser = make_parser(inst)
    routing = {"rules": [{**RULE, "targetParserId": parser.id}]} if routing is None else routing
    if isinstance(routing, dict):
        for rule in routing.get("rules", ()):
            if rule["targetParserId"] == P:
                rule["targetParserId"] = parser.id
    with pytest.raises(InputError, match=message) as caught:
        create_classifier(inst, inst.team_id, {"name": "Mail", "routing": routing, **settings})
    assert caught.value.path == path
    assert find_classifiers(inst, inst.team_id).total == 0


def test_targets_are_parsers_of_the_team_which_are_kept(any_inst: Installation) -> None:
    with any_inst.catalog.transaction() as session:
        session.add(Team(id=P, name="Others", slug="others"))
    foreign, gone, mine = (
        make_parser(any_inst, name, team) for name, team in (("Foreign", P), ("Gone", None), ("Mine", None))
    )
    delete_parser(any_inst, any_inst.team_id, gone.id)
    rules = [{"label": one.name, "targetParserId": one.id} for one in (mine, foreign, gone)]
    with pytest.raises(NotFound, match="Parser not found") as caught:
        create_classifier(any_inst, any_inst.team_id, {"name": "Mail", "routing": {"rules": rules}})
    assert sorted(caught.value.missing) == sorted([("parserId", foreign.id), ("parserId", gone.id)])
    made = create_classifier(any_inst, any_inst.team_id, {"name": "Mail", "routing": {"rules": rules[:1]}})
    with pytest.raises(NotFound):
        change(any_inst, made, routing={"fallback": {"action": "route", "targetParserId": foreign.id}})
    with pytest.raises(NotFound, match="Classifier not found"):
        get_classifier(any_inst, P, made.id)
    other = make_parser(any_inst, "Others")
    to_other = {"fallback": {"action": "route", "targetParserId": other.id}}
    make_classifier(any_inst, "B", name="Scans", routing=to_other)
    change(any_inst, made, routing=to_other)
    with pytest.raises(Conflict, match="target of classifiers: Mail, Scans"):
        delete_parser(any_inst, any_inst.team_id, other.id)
    change(any_inst, made, routing={"fallback": {"action": "skip"}})
    with pytest.raises(Conflict, match="target of classifiers: Mail;"):
        delete_parser(any_inst, any_inst.team_id, mine.id)


def test_changes_are_merged_by_key_and_rules_replaced(any_inst: Installation) -> None:
    other = make_parser(any_inst, "Others")
    made, (a, _) = make_classifier(
        any_inst,
        "A",
        "B",
        routing={"fallback": {"action": "route", "targetParserId": other.id}, "instructions": "x"},
        split_documents={"mode": "everyXPages", "everyXPages": 2},
    )
    changed = change(any_inst, made, split_documents={"enabled": True}, name="Post")
    assert changed.settings["splitDocuments"] == {"enabled": True, "mode": "everyXPages", "everyXPages": 2}
    assert (changed.routing, changed.name) == (made.routing, "Post")
    rules = [{"label": "C", "targetParserId": a.id}, {"label": "b", "targetParserId": a.id}]
    changed = change(any_inst, made, routing={"rules": rules})
    assert rules_of(changed)["b"] == rules_of(made)["B"]
    assert [*rules_of(changed)] == ["C", "b"]
    assert (changed.instructions, changed.fallback_parser_id) == ("x", other.id)
    changed = change(any_inst, made, routing={"fallback": {"action": "skip"}})
    assert changed.routing["fallback"] == {"action": "skip", "targetParserId": None}
    assert changed.updated_at > made.updated_at
    # Labels that are exchanged, and rules that go, leave the others' ids.
    c, b = rules_of(changed).values()
    rules = [
        {"id": b, "label": "C", "targetParserId": a.id},
        {"id": c, "label": "b", "targetParserId": a.id},
    ]
    assert rules_of(change(any_inst, made, routing={"rules": rules})) == {"C": b, "b": c}
    rules = [{"id": b, "label": "b", "targetParserId": a.id}]
    assert rules_of(change(any_inst, made, routing={"rules": rules})) == {"b": b}
    with any_inst.catalog.read_session() as session:
        assert session.scalars(select(ClassifierRule.id)).all() == [b]


def test_only_models_that_are_there_can_be_chosen(any_inst: Installation) -> None:
    file = any_inst.settings.models_file
    file.write_text("large: {preset: openai}")
    refused = r"^model: there is no language model 'huge'; there are large$"
    with pytest.raises(InputError, match=refused):
        make_classifier(any_inst, "A", model="huge")
    made, _ = make_classifier(any_inst, "B", model="large")
    assert get_classifier(any_inst, any_inst.team_id, made.id).settings["model"] == "large"
    for wrong, told in (
        ("huge", refused),
        (5, "^model: must be a string"),
        ("x" * 64, "^model: must have at"),
    ):
        with pytest.raises(InputError, match=told) as caught:
            change(any_inst, made, model=wrong)
        assert caught.value.path == "model"
    file.write_text("")
    changed = change(any_inst, made, email_parsing={"parseEmailBody": False})
    assert changed.settings["model"] == "large", "what is not changed is not checked"
    for unset in ("", None):
        assert "model" not in change(any_inst, made, model=unset).settings


def test_each_change_is_audited_with_before_and_after(inst: Installation) -> None:
    made, _ = make_classifier(inst, "A")
    change(inst, made, is_active=False, description="")
    change(inst, made, is_active=False)
    delete_classifier(inst, inst.team_id, made.id, "tester")
    created, updated, deleted = audited(inst, resource_type="classifier", resource_id=made.id)
    details = {"changed": ["isActive"], "before": {"isActive": True}, "after": {"isActive": False}}
    assert updated == ("tester", "classifier.updated", details)
    assert (created[1], created[2]["after"]["routing"]) == ("classifier.created", made.routing)
    assert (deleted[1], deleted[2]["before"]["isActive"]) == ("classifier.deleted", False)


def test_a_deleted_classifier_takes_only_its_unrouted_documents(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docduck.service.classifiers.classifiers._BATCH", 2)
    made, (a,) = make_classifier(any_inst, "A")
    routed = upload(any_inst, any_inst.team_id, a.id, b"routed", "r.txt")
    set_document(any_inst, routed, classifier_id=made.id, routing_status="routed")
    unrouted(any_inst, made, *(f"{number}.txt" for number in range(5)))
    assert delete_classifier(any_inst, any_inst.team_id, made.id) == made.id
    with any_inst.catalog.read_session() as session:
        assert session.scalars(select(Document.id)).all() == [routed]
        assert session.get_one(Document, routed).classifier_id == made.id
        assert session.get_one(Classifier, made.id).deleted_at is not None
    for call in (get_classifier, delete_classifier):
        with pytest.raises(NotFound):
            call(any_inst, any_inst.team_id, made.id)
    delete_parser(any_inst, any_inst.team_id, a.id)


def test_counts_and_lists(any_inst: Installation) -> None:
    made, (a, b) = make_classifier(any_inst, "A", "B")
    make_classifier(any_inst, "C", name="äpfel", is_active=False)
    ids = unrouted(any_inst, made, "1", "2", "3", "4", "5")
    for document_id, parser in zip(ids, (a, b), strict=False):
        set_document(any_inst, document_id, routing_status="routed", parser_id=parser.id)
    for document_id, status in zip(ids[2:], ("skipped", "failed", "pending"), strict=True):
        set_document(any_inst, document_id, routing_status=status, parser_id=None)
    page = find_classifiers(any_inst, any_inst.team_id, sort="name.asc")
    assert [(one.name, counts) for one, counts in page.rows] == [
        ("Mail", ClassifierCounts(documents=5, routed=2, skipped=1, failed=1)),
        ("äpfel", ClassifierCounts(documents=0, routed=0, skipped=0, failed=0)),
    ]

    def names(**given: Any) -> list[str]:
        return [one.name for one, _ in find_classifiers(any_inst, any_inst.team_id, **given).rows]

    assert names(q="ÄPF") == ["äpfel"] and names(is_active=True) == ["Mail"]
    assert names(sort="name.desc", limit=1, page=2) == ["Mail"]
    assert names(only=frozenset({a.id, b.id})) == ["Mail"] and names(only=frozenset({a.id})) == []
    assert find_classifiers(any_inst, new_id()).total == 0
    with pytest.raises(InputError, match="Unknown sort"):
        names(sort="id")
    change(any_inst, made, routing={"rules": [{"label": "A", "targetParserId": a.id}]})
    delete_parser(any_inst, any_inst.team_id, b.id)
    with any_inst.catalog.read_session() as session:
        counts = ClassifierCounts(documents=4, routed=1, skipped=1, failed=1)
        assert classifier_counts(session, [made.id])[made.id] == counts
