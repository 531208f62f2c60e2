"""The examples of a classifier: added from documents, listed and removed."""

from __future__ import annotations

import pytest

from docduck.errors import InputError, NotFound
from docduck.ids import new_id
from docduck.service.accounts.accounts import create_team
from docduck.service.classifiers.example_changes import add_examples, list_examples, remove_example
from docduck.service.classifiers.examples import examples_of
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import get_parser
from tests.constants import SetConstants
from tests.service.classifiers.classifiers_world import make_classifier, unrouted
from tests.service.core.catalog import audited
from tests.service.core.documents import complete, upload


def document(inst: Installation, parser_id: str, name: str, text: str | None = None) -> str:
    """A document of a parser; with ``text``, it was read and its text was kept."""
    made = upload(inst, inst.team_id, parser_id, name.encode(), name)
    if text is not None:
        complete(inst, get_parser(inst, inst.team_id, parser_id), text=text.encode())
    return made


def texts(inst: Installation, classifier_id: str) -> dict[str, list[str]]:
    with inst.catalog.read_session() as session:
        return examples_of(session, classifier_id)


def test_documents_become_examples_with_their_text(any_inst: Installation) -> None:
    made, (a, _) = make_classifier(any_inst, "A", "B")
    team, rule = any_inst.team_id, made.rules[0]
    read = document(any_inst, a.id, "read.txt", "Words of it")
    new = document(any_inst, a.id, "new.txt")
    add_examples(any_inst, team, made.id, rule.id, [read, new, read.upper()], "tester")
    found = {one.name: one for one in list_examples(any_inst, team, made.id)}
    told = {name: (one.rule_id, one.is_read) for name, one in found.items()}
    assert told == {"read.txt": (rule.id, True), "new.txt": (rule.id, False)}
    assert texts(any_inst, made.id) == {rule.id: ["Words of it"]}
    remove_example(any_inst, team, made.id, read, "tester")
    assert [one.name for one in list_examples(any_inst, team, made.id)] == ["new.txt"]
    assert texts(any_inst, made.id) == {}
    with pytest.raises(NotFound, match="Example not found"):
        remove_example(any_inst, team, made.id, read)
    log = [(actor, action) for actor, action, _ in audited(any_inst, resource_id=made.id)]
    assert log[1:] == [("tester", f"classifier.{one}") for one in ("examples_added", "example_removed")]


def test_only_so_many_documents_of_the_rules_parser_can_be_examples(
    inst: Installation, set_constants: SetConstants
) -> None:
    made, (a, b) = make_classifier(inst, "A", "B")
    team, rule = inst.team_id, made.rules[0].id
    mine = document(inst, a.id, "a.txt")
    for wrong in (document(inst, b.id, "b.txt"), unrouted(inst, made, "c.txt")[0], new_id(), "x"):
        with pytest.raises(NotFound, match="Document not found"):
            add_examples(inst, team, made.id, rule, [mine, wrong])
    with pytest.raises(NotFound, match="Rule not found"):
        add_examples(inst, team, made.id, new_id(), [mine])
    other = create_team(inst, "Strangers").id
    for call in (
        lambda: add_examples(inst, other, made.id, rule, [mine]),
        lambda: list_examples(inst, other, made.id),
        lambda: remove_example(inst, other, made.id, mine),
    ):
        with pytest.raises(NotFound, match="Classifier not found"):
            call()
    assert list_examples(inst, team, made.id) == []
    # The newest are kept.
    set_constants(classifier_examples_per_label=2)
    ids = [mine, *(document(inst, a.id, f"{number}.txt") for number in range(2))]
    for too_few_or_many in ([], ids):
        with pytest.raises(InputError, match="Choose 1 to 2 documents"):
            add_examples(inst, team, made.id, rule, too_few_or_many)
    add_examples(inst, team, made.id, rule, ids[:2])
    add_examples(inst, team, made.id, rule, ids[2:])
    kept = [one.document_id for one in list_examples(inst, team, made.id)]
    assert len(kept) == 2 and kept[0] == ids[2]
