from __future__ import annotations

from pathlib import Path

import pytest

from docduck.service.classifiers.classifier_listing import list_classifiers
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import get_parser
from tests.service.core.documents import make_parser
from tests.service.pipeline.test_pipeline_spec import problems
from tests.service.provisioning.test_pipeline import apply

TEXT = """
parsers:
  - template: invoice
classifiers:
  - name: Mail
    rules: {Invoice: invoices, "Old bill": invoices}
    instructions: Reminders are invoices
    split: {enabled: true, mode: smart}
    email: {parseEmailBody: false}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "pipeline.yaml"


def test_classifiers_are_made_once_and_changed(any_inst: Installation, file: Path) -> None:
    done = apply(any_inst, file, TEXT)
    assert done[-1] == "Mail: created with 2 rules"
    (made,) = list_classifiers(any_inst, any_inst.team_id)
    parser = get_parser(any_inst, any_inst.team_id, "invoices")
    assert [(rule.label, rule.target_parser_id) for rule in made.rules] == [
        ("Invoice", parser.id),
        ("Old bill", parser.id),
    ]
    assert (made.fallback_action, made.instructions, made.is_active) == (
        "skip",
        "Reminders are invoices",
        True,
    )
    assert made.settings["splitDocuments"] == {"enabled": True, "mode": "ai"}
    assert made.settings["emailParsing"] == {"parseEmailBody": False}
    assert apply(any_inst, file, TEXT) == ["nothing to change"]
    assert list_classifiers(any_inst, any_inst.team_id) == [made]

    changed = TEXT.replace(', "Old bill": invoices', "").replace("false", "true")
    changed += "    fallback: invoices\n    active: false\n    description: All of it\n"
    assert apply(any_inst, file, changed) == [
        "Mail: rules changed",
        "Mail: fallback changed",
        "Mail: description changed",
        "Mail: is now inactive",
        "Mail: setting emailParsing changed",
    ]
    (now,) = list_classifiers(any_inst, any_inst.team_id)
    assert now.rules == made.rules[:1] and now.fallback_parser_id == parser.id
    assert apply(any_inst, file, changed) == ["nothing to change"]
    assert apply(any_inst, file, "parsers: [{template: invoice}]") == [
        "nothing to change",
        "Mail: is in the catalog and not in the file; left",
    ]


def test_parsers_of_rules_are_in_the_file_or_the_catalog(inst: Installation, file: Path) -> None:
    make_parser(inst, "Letters")
    text = "classifiers:\n  - {name: Mail, rules: {A: letters, B: none}}\n"
    with pytest.raises(
        Exception, match=r"pipeline.yaml:2: classifiers\[0\].rules.B: no parser is called 'none'"
    ):
        apply(inst, file, text)
    assert list_classifiers(inst, inst.team_id) == []
    text = text.replace(", B: none", "") + "    fallback: nobody\n"
    text = text.replace("{name: Mail, rules: {A: letters}}", "name: Mail\n    rules: {A: letters}")
    with pytest.raises(Exception, match=r"pipeline.yaml:4: classifiers\[0\].fallback: no parser"):
        apply(inst, file, text)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("rules: {}", "3: classifiers[0].rules: must have at least 1 item"),
        ("rules: [a]", "3: classifiers[0].rules: must be keys with values"),
        ("rules: {A: a, a: b}", "3: classifiers[0].rules.a: 'a' is also that of"),
        ("rule: {A: a}", "3: classifiers[0].rule: unknown key; did you mean rules?"),
        ("rules: {A: a}\n    split: {mode: x}", "4: classifiers[0].split.mode: must be"),
        (
            "rules: {A: a}\n    split: {mode: partitionKey, partitionKey: Number}",
            "4: classifiers[0].split.partitionKeySource: a classifier has no fields",
        ),
        ("rules: {A: a}\n    email: {x: 1}", "4: classifiers[0].email.x: Unknown property: x"),
        ("rules: {A: a}\n    instructions: 3", "4: classifiers[0].instructions: must be text"),
        ("rules: {A: a}\n  - name: M\n    rules: {A: a}", "4: classifiers[1].name: 'M' is that of"),
    ],
)
def test_wrong_classifiers_are_named_by_line_and_key(tmp_path: Path, lines: str, problem: str) -> None:
    found = problems(tmp_path, f"classifiers:\n  - name: M\n    {lines}\n")
    assert any(one.startswith(f"pipeline.yaml:{problem}") for one in found), found
