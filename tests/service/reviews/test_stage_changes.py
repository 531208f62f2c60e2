from __future__ import annotations

from typing import Any

import pytest

from docduck.catalog.models import ReviewStage
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.parsers.field_editing import delete_field, update_field
from docduck.service.parsers.parsers import ParserView
from docduck.service.reviews.review_stages import get_stage, list_stages, reviewers
from docduck.service.reviews.stage_changes import create_stage, delete_stage, update_stage
from tests.conftest import MakeInstallation
from tests.service.core.documents import make_parser
from tests.service.core.people import make_member, make_team
from tests.service.reviews.reviews_world import approved, audited, read_one, rejected, rule, stage, stages_at


def create(inst: Installation, parser: ParserView, **new: Any) -> str:
    return create_stage(inst, parser.team_id, parser.id, new).id


def change(inst: Installation, parser: ParserView, stage_id: str, **changes: Any) -> None:
    update_stage(inst, parser.team_id, parser.id, stage_id, changes)


def names(inst: Installation, parser: ParserView) -> list[tuple[int, str]]:
    return [(one.position, one.name) for one in list_stages(inst, parser.team_id, parser.id)]


def test_a_stage_is_mandatory_and_the_last_one_by_default(any_inst: Installation) -> None:
    parser, ann = make_parser(any_inst), make_member(any_inst)
    create(any_inst, parser, name=" First ")
    made = create_stage(
        any_inst,
        parser.team_id,
        parser.id,
        {"name": "Second", "reviewer_id": ann.upper(), "reviewer_instructions": "Look well"},
    )
    assert made == get_stage(any_inst, parser.team_id, parser.id, made.id)
    assert made.reviewer is not None
    assert (made.position, made.review_type, made.reviewer.id, made.reviewer_instructions, made.rules) == (
        2,
        "mandatory",
        ann,
        "Look well",
        [],
    )
    assert names(any_inst, parser) == [(1, "First"), (2, "Second")]


def test_positions_move_on(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_review_stages=5)
    parser = make_parser(inst)
    a, b, c = (create(inst, parser, name=name) for name in "abc")
    create(inst, parser, name="first", position=1)
    create(inst, parser, name="last", position=99)
    assert names(inst, parser) == [(1, "first"), (2, "a"), (3, "b"), (4, "c"), (5, "last")]
    with pytest.raises(InputError, match="may have 5 review stages"):
        create(inst, parser, name="more")
    change(inst, parser, c, position=2)
    assert [name for _, name in names(inst, parser)] == ["first", "c", "a", "b", "last"]
    delete_stage(inst, parser.team_id, parser.id, a)
    assert names(inst, parser) == [(1, "first"), (2, "c"), (3, "b"), (4, "last")]
    with pytest.raises(InputError, match="position: must be at least 1"):
        change(inst, parser, b, position=0)


def test_rules_are_stored_by_id_and_shown_by_name(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    total = next(str(field.id) for field in parser.fields if field.name == "Total")
    made = stage(any_inst, parser, "CFO", None, rule("total", ">", 5000), rule("Line Items.Amount", "=", 3))
    with any_inst.catalog.read_session() as session:
        stored = session.get_one(ReviewStage, made.id).rules
    assert stored[0]["field"] == total
    update_field(any_inst, parser.team_id, parser.id, "Total", {"name": "Sum"})
    shown = get_stage(any_inst, parser.team_id, parser.id, made.id).rules
    assert [one.shown()["field"] for one in shown] == ["Sum", "Line Items.Amount"]
    assert shown[0].shown()["editable"] is True
    # A rule that is sent again keeps its id; a field that is gone has no value.
    kept = shown[0].shown()
    change(
        any_inst,
        parser,
        made.id,
        rules=[kept, rule("Number", "exists", None) | {"operator": None, "condition": "exists"}],
    )
    again = get_stage(any_inst, parser.team_id, parser.id, made.id).rules
    assert again[0].id == kept["id"] and len(again) == 2
    delete_field(any_inst, parser.team_id, parser.id, "Sum")
    assert get_stage(any_inst, parser.team_id, parser.id, made.id).rules[0].shown()["field"] == total
    assert stages_at(any_inst, read_one(any_inst, parser, total=9000.0)) == {"CFO": "skipped"}


WRONG: list[tuple[dict[str, Any], str]] = [
    ({}, "name: is required"),
    ({"name": " "}, "name: must not be blank"),
    ({"name": "a\nb"}, "control characters"),
    ({"name": "a", "review_type": "conditional"}, "Conditional stages need at least one rule"),
    ({"name": "a", "review_type": "sometimes"}, "reviewType: must be 'mandatory' or 'conditional'"),
    ({"name": "a", "reviewer_instructions": "x" * 501}, "500 characters"),
    ({"name": "a", "rules": [rule("Nothing", "=", 1)]}, "Unknown field: Nothing"),
    ({"name": "a", "rules": [rule("Total", "=", 1)] * 21}, "20 rules"),
    ({"name": "a", "rules": [{"type": "code", "code": "1"}]}, "Only simple rules"),
    ({"name": "a", "rules": [{**rule("Total", "=", 1), "type": "code"}]}, "Only simple rules"),
    ({"rules": [{"field": "?"}, {"type": "code", "code": "1"}]}, "Only simple rules"),
]


def test_wrong_stages_are_refused(inst: Installation) -> None:
    parser = make_parser(inst)
    for new, message in WRONG:
        with pytest.raises(InputError, match=message):
            create(inst, parser, **new)
    assert names(inst, parser) == []


def test_a_conditional_stage_keeps_a_rule_and_code_rules_are_kept(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    made = stage(any_inst, parser, "CFO", None, rule("Total", ">", 1))
    with pytest.raises(InputError, match="at least one rule"):
        change(any_inst, parser, made.id, rules=[])
    change(any_inst, parser, made.id, review_type="mandatory", rules=[])
    with any_inst.catalog.transaction() as session:
        session.get_one(ReviewStage, made.id).rules = [{"id": "r", "type": "code", "code": "true"}]
    with pytest.raises(Conflict, match=r"^Stage contains code rules$"):
        change(any_inst, parser, made.id, rules=[rule("Total", ">", 1)])
    change(any_inst, parser, made.id, review_type="conditional", name="Renamed")
    # What can't be evaluated is looked at.
    assert stages_at(any_inst, read_one(any_inst, parser)) == {"Renamed": "in_progress"}


def test_people_and_stages_of_others_are_not_found(any_inst: Installation) -> None:
    parser, others = make_parser(any_inst), make_team(any_inst)
    stranger, ann = make_member(any_inst, team_id=others), make_member(any_inst)
    with pytest.raises(NotFound) as error:
        create(any_inst, parser, name="a", reviewer_id=stranger)
    assert error.value.missing == (("reviewerId", stranger),)
    made = create(any_inst, parser, name="a", reviewer_id=ann)
    other_parser = make_parser(any_inst, "Others")
    for team, of, stage_id in (
        (others, parser.id, made),
        (any_inst.team_id, other_parser.id, made),
        (any_inst.team_id, parser.id, new_id()),
        (any_inst.team_id, parser.id, "x"),
    ):
        with pytest.raises(NotFound):
            get_stage(any_inst, team, of, stage_id)
        with pytest.raises(NotFound):
            delete_stage(any_inst, team, of, stage_id)
        with pytest.raises(NotFound):
            update_stage(any_inst, team, of, stage_id, {"name": "b"})
    with pytest.raises(NotFound, match="Review stage not found"):
        get_stage(any_inst, any_inst.team_id, parser.id, new_id())
    assert [one.id for one in reviewers(any_inst, any_inst.team_id, parser.id)] == [ann]
    with pytest.raises(NotFound, match="Parser not found"):
        reviewers(any_inst, others, parser.id)


def test_a_stage_that_documents_wait_for_is_not_deleted(any_inst: Installation) -> None:
    parser, ann = make_parser(any_inst), make_member(any_inst)
    first, second = (stage(any_inst, parser, name, ann) for name in ("First", "Second"))
    document_id = read_one(any_inst, parser)
    for one in (first, second):
        with pytest.raises(Conflict, match=r"^Review stage is pending or in progress on 1 documents$"):
            delete_stage(any_inst, parser.team_id, parser.id, one.id)
    approved(any_inst, parser, document_id, ann)
    delete_stage(any_inst, parser.team_id, parser.id, first.id)
    assert names(any_inst, parser) == [(1, "Second")]
    # The document that has passed it keeps it; the next one doesn't get it.
    assert stages_at(any_inst, document_id) == {"First": "approved", "Second": "in_progress"}
    last = read_one(any_inst, parser, "next")
    assert stages_at(any_inst, last) == {"Second": "in_progress"}
    # A rejected document waits for no stage.
    third = stage(any_inst, parser, "Third", ann)
    waiting = read_one(any_inst, parser, "waiting")
    rejected(any_inst, parser, waiting, ann)
    delete_stage(any_inst, parser.team_id, parser.id, third.id)
    assert stages_at(any_inst, waiting) == {"Second": "rejected", "Third": "pending"}


def test_changes_are_audited(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    stage_id = create(any_inst, parser, name="a")
    change(any_inst, parser, stage_id, name="b")
    change(any_inst, parser, stage_id, name="b")
    delete_stage(any_inst, parser.team_id, parser.id, stage_id)
    made, changed, gone = audited(any_inst, stage_id)
    assert (made[0], made[1]["before"], made[1]["after"]["name"]) == ("review_stage.created", None, "a")
    assert changed == (
        "review_stage.updated",
        {"changed": ["name"], "before": {"name": "a"}, "after": {"name": "b"}},
    )
    assert (gone[0], gone[1]["after"]) == ("review_stage.deleted", None)
