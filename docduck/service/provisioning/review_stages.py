"""Application of the review stages in pipeline.yaml."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.errors import InputError
from docduck.ids import name_key
from docduck.service.accounts.accounts import members
from docduck.service.conditions import parse_rules
from docduck.service.core.installation import Installation
from docduck.service.core.schema import Values, differences
from docduck.service.parsers.parsers import ParserView
from docduck.service.pipeline.pipeline_spec import ReviewStageSpec
from docduck.service.reviews.review_stages import StageSetup, list_stages
from docduck.service.reviews.stage_changes import create_stage, delete_stage, update_stage


def apply_stages(
    inst: Installation, team_id: str, parser: ParserView, specs: Sequence[ReviewStageSpec]
) -> list[str]:
    """Create, change and delete a parser's review stages, found by name; return messages about the changes.

    Raise InputError for unknown reviewers and wrong rules, before anything is changed, and Conflict for a
    stage that is missing in ``specs`` while documents wait for it.
    """
    stages = [_changes(inst, team_id, parser, index, spec) for index, spec in enumerate(specs)]
    names = {name_key(spec.name) for spec in specs}
    done: list[str] = []
    for stage in list_stages(inst, team_id, parser.id):
        if name_key(stage.name) not in names:
            delete_stage(inst, team_id, parser.id, stage.id)
            done.append(f"{parser.slug}: review stage {stage.name} removed")
    for changes in stages:
        present = {name_key(stage.name): stage for stage in list_stages(inst, team_id, parser.id)}
        known = present.get(name_key(changes["name"]))
        if known is None:
            create_stage(inst, team_id, parser.id, changes)
            done.append(f"{parser.slug}: review stage {changes['name']} added")
        elif different := _different(parser, known, changes):
            update_stage(inst, team_id, parser.id, known.id, different)
            done.append(f"{parser.slug}: review stage {changes['name']} changed ({', '.join(different)})")
    return done


def _changes(
    inst: Installation, team_id: str, parser: ParserView, index: int, spec: ReviewStageSpec
) -> Values:
    reviewer_id = None
    if spec.reviewer is not None:
        email = spec.reviewer.strip().lower()
        reviewer_id = next((member.id for member in members(inst, team_id) if member.email == email), None)
        if reviewer_id is None:
            raise InputError(
                f"no member of the team has the address '{spec.reviewer}' (docduck users add)",
                f"review[{index}].reviewer",
            )
    parse_rules(list(spec.rules), parser.fields, path=f"review[{index}].rules")
    return {
        "name": spec.name.strip(),
        "reviewer_instructions": spec.instructions,
        "position": index + 1,
        "review_type": "conditional" if spec.rules else "mandatory",
        "on_failed_checks": spec.on_failed_checks,
        "reviewer_id": reviewer_id,
        "rules": list(spec.rules),
    }


def _different(parser: ParserView, stage: StageSetup, values: Values) -> Values:
    conditions = [rule.condition for rule in parse_rules(values["rules"], parser.fields)]
    present = stage.model_copy(update={"rules": [rule.condition for rule in stage.rules]})
    return {name: values[name] for name in differences(present, {**values, "rules": conditions})}
