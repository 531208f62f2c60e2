"""Classifiers, upload pages, webhooks and export layouts in pipeline.yaml."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.service.classifiers.classifier_listing import list_classifiers
from docduck.service.core.installation import Installation
from docduck.service.outputs.export_layouts import create_layout, list_layouts
from docduck.service.parsers.parsers import get_parser
from docduck.service.schemas.export_layouts import LayoutColumnView
from docduck.service.schemas.upload_pages import UploadPageSettings
from docduck.service.schemas.webhooks import WebhookView
from docduck.service.uploads.upload_pages import PageOwner, get_upload_page
from docduck.service.webhooks.secrets import get_own_headers, get_secret
from docduck.service.webhooks.webhook_changes import create_webhook
from docduck.service.webhooks.webhooks import list_webhooks
from tests.service.core.documents import make_parser
from tests.service.pipeline.test_pipeline_spec import problems
from tests.service.provisioning.test_pipeline import apply

CLASSIFIERS = """
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
    done = apply(any_inst, file, CLASSIFIERS)
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
    assert apply(any_inst, file, CLASSIFIERS) == ["nothing to change"]
    assert list_classifiers(any_inst, any_inst.team_id) == [made]

    changed = CLASSIFIERS.replace(', "Old bill": invoices', "").replace("false", "true")
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


def test_the_model_of_a_classifier_is_set_and_unset(inst: Installation, file: Path) -> None:
    def model() -> str | None:
        (classifier,) = list_classifiers(inst, inst.team_id)
        return classifier.settings.get("model")

    inst.settings.models_file.write_text("large: {preset: openai}")
    text = f"{CLASSIFIERS}    model: large\n"
    apply(inst, file, text)
    assert model() == "large"
    assert apply(inst, file, text) == apply(inst, file, CLASSIFIERS) == ["nothing to change"]
    assert apply(inst, file, text.replace("large", '""')) == ["Mail: setting model changed"]
    assert model() is None
    with pytest.raises(
        InputError,
        match=r"pipeline\.yaml:5: classifiers\[0\]: model: there is no language model 'huge'; there",
    ):
        apply(inst, file, text.replace("large", "huge"))


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
        ("rules: {A: a}\n    model: [x]", "4: classifiers[0].model: must be text"),
        (f"rules: {{A: a}}\n    model: {'x' * 64}", "4: classifiers[0].model: must have at most 63"),
        ("rules: {A: a}\n    instructions: 3", "4: classifiers[0].instructions: must be text"),
        ("rules: {A: a}\n  - name: M\n    rules: {A: a}", "4: classifiers[1].name: 'M' is that of"),
    ],
)
def test_wrong_classifiers_are_named_by_line_and_key(tmp_path: Path, lines: str, problem: str) -> None:
    found = problems(tmp_path, f"classifiers:\n  - name: M\n    {lines}\n")
    assert any(one.startswith(f"pipeline.yaml:{problem}") for one in found), found


PAGES = """
parsers:
  - template: invoice
    uploadPage:
      title: Your bills
      message: PDF only
      embed: [https://WWW.example.org]
      filesPerHour: 5
classifiers:
  - name: Mail
    rules: {Invoice: invoices}
    uploadPage: {active: false}
"""


def test_pages_are_made_once_and_changed(any_inst: Installation, file: Path) -> None:
    done = apply(any_inst, file, PAGES)
    assert {"invoices: upload page created", "Mail: upload page created"} <= {*done}
    parser, classifier = PageOwner("parser", "invoices"), PageOwner("classifier", "Mail")
    made = get_upload_page(any_inst, any_inst.team_id, parser)
    assert UploadPageSettings.of(made) == UploadPageSettings.of_values(
        {
            "is_active": True,
            "title": "Your bills",
            "message": "PDF only",
            "embed_origins": ["https://www.example.org"],
            "files_per_hour": 5,
        }
    )
    off = get_upload_page(any_inst, any_inst.team_id, classifier)
    assert UploadPageSettings.of(off) == UploadPageSettings.of_values({"is_active": False})
    assert apply(any_inst, file, PAGES) == ["nothing to change"]
    assert apply(any_inst, file, PAGES.replace("false", "true").replace("PDF only", "Photos")) == [
        "invoices: upload page changed",
        "Mail: upload page changed",
    ]
    now = get_upload_page(any_inst, any_inst.team_id, parser)
    assert (now.message, now.path) == ("Photos", made.path)
    left = PAGES.replace("    uploadPage: {active: false}\n", "")
    apply(any_inst, file, left)
    assert get_upload_page(any_inst, any_inst.team_id, classifier).is_active


def test_wrong_pages_are_told_with_their_place(file: Path) -> None:
    text = """\
parsers:
  - name: A
    uploadPage:
      titel: x
  - name: B
    uploadPage:
      title: ""
      filesPerHour: 0
      embed:
        - https://a.org
        - https://a.org/path
classifiers:
  - name: Mail
    rules: {Invoice: a}
    uploadPage:
      active: maybe
"""
    assert problems(file.parent, text) == [
        "pipeline.yaml:4: parsers[0].uploadPage.titel: unknown key; did you mean title?",
        "pipeline.yaml:7: parsers[1].uploadPage.title: must have 1 to 200 characters",
        "pipeline.yaml:8: parsers[1].uploadPage.filesPerHour: must be from 1 to 10000",
        "pipeline.yaml:11: parsers[1].uploadPage.embed[1]: must be an origin such as "
        "https://www.example.org, without a path",
        "pipeline.yaml:16: classifiers[0].uploadPage.active: must be true or false",
    ]


WEBHOOKS = """
parsers:
  - name: Invoices
    fields: [{name: Number}]
    webhooks:
      - name: ERP
        url: https://erp.example.org/hook
        events: [document.failed, document.exported]
        secret: ERP_SECRET
        headers: {Authorization: ERP_TOKEN}
      - {name: Chat, url: "https://chat.example.org/", events: ["*"], valueFormat: string, active: false}
"""

ONE, TWO = (f"whsec_{base64.b64encode(letter * 24).decode()}" for letter in (b"a", b"b"))


@pytest.fixture
def hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ERP_SECRET", ONE)
    monkeypatch.setenv("ERP_TOKEN", "Bearer t0ken")
    return tmp_path / "pipeline.yaml"


def found(inst: Installation) -> dict[str, WebhookView]:
    return {one.name: one for one in list_webhooks(inst, inst.team_id, "invoices")}


def test_webhooks_are_made_once_and_changed(
    any_inst: Installation, hooks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = apply(any_inst, hooks, WEBHOOKS)
    assert done[1:] == ["invoices: webhook ERP added", "invoices: webhook Chat added"]
    erp, chat = found(any_inst)["ERP"], found(any_inst)["Chat"]
    assert list(erp.events) == ["document.exported", "document.failed"]
    assert get_secret(any_inst, any_inst.team_id, "invoices", erp.id) == ONE
    headers = get_own_headers(any_inst, any_inst.team_id, "invoices", erp.id)
    assert headers == {"Authorization": "Bearer t0ken"}
    assert (list(chat.events), chat.value_format, chat.status) == (["*"], "string", "paused")
    assert apply(any_inst, hooks, WEBHOOKS) == ["nothing to change"]
    assert found(any_inst)["ERP"] == erp

    monkeypatch.setenv("ERP_SECRET", TWO)
    monkeypatch.setenv("ERP_TOKEN", "Bearer other")
    changed = WEBHOOKS.replace("/hook", "/new").replace("active: false", "active: true")
    assert apply(any_inst, hooks, changed) == [
        "invoices: webhook ERP changed (url, headers)",
        "invoices: secret of webhook ERP rotated",
        "invoices: webhook Chat changed (is_active)",
    ]
    assert get_secret(any_inst, any_inst.team_id, "invoices", erp.id) == TWO
    assert apply(any_inst, hooks, changed) == ["nothing to change"]
    assert found(any_inst)["Chat"].status == "active"


def test_other_webhooks_are_left_alone(inst: Installation, hooks: Path) -> None:
    apply(inst, hooks, WEBHOOKS)
    create_webhook(inst, inst.team_id, "invoices", {"url": "https://zap.example.org/", "name": "Zap"})
    without = WEBHOOKS.partition("      - {name: Chat")[0]
    assert apply(inst, hooks, without) == ["nothing to change"]
    assert found(inst).keys() == {"ERP", "Chat", "Zap"}
    assert apply(inst, hooks, WEBHOOKS.partition("    webhooks:")[0]) == ["nothing to change"]
    assert len(found(inst)) == 3


def test_wrong_webhooks_are_told_with_their_place(inst: Installation, hooks: Path) -> None:
    place, missing = "parsers[0].webhooks", "the environment variable NOWHERE is not set"
    for old, new, told in (
        ("ERP_SECRET", "NOWHERE", f"yaml:9: {place}[0].secret: {missing}"),
        ("ERP_SECRET", "ERP_TOKEN", f"yaml:9: {place}[0].secret: A webhook's secret must"),
        ("ERP_TOKEN", "NOWHERE", f"{place}[0].headers.Authorization: {missing}"),
        ("https://erp", "http://erp", f"yaml:7: {place}[0].url: Webhook URL must use HTTPS"),
        ("erp.example.org", "127.0.0.1", f"{place}[0].url: URL is not allowed"),
        ("document.failed", "document.lost", f"{place}[0].events: must be some of"),
        ("name: Chat", "name: erp", f"{place}[1].name: 'erp' is also the name of webhooks[0]"),
        ("valueFormat", "format", f"{place}[1].format: unknown key"),
        ("Authorization", "Host", f"{place}[0].headers.Host: The header Host is set by docduck"),
    ):
        with pytest.raises(InputError) as caught:
            apply(inst, hooks, WEBHOOKS.replace(old, new))
        assert told in caught.value.message
        assert "t0ken" not in caught.value.message and ONE not in caught.value.message


LAYOUTS = """parsers:
- name: Notes
  fields: [{name: Number}, {name: Lines, type: table, columns: [{name: Amount, type: currency}]}]
  layouts:
  - {name: Books, format: csv, scope: table, columns: [Number, {field: Lines.Amount, header: Sum}]}
"""


def test_layouts_are_created_changed_and_left(inst: Installation, tmp_path: Path) -> None:
    assert apply(inst, tmp_path / "pipeline.yaml", LAYOUTS)[-1] == "notes: export layout 'Books' created"
    assert apply(inst, tmp_path / "pipeline.yaml", LAYOUTS) == ["nothing to change"]
    (layout,) = list_layouts(inst, inst.team_id, "notes")
    assert layout.columns == (LayoutColumnView("Number", None), LayoutColumnView("Lines.Amount", "Sum"))
    create_layout(inst, inst.team_id, "notes", {"name": "mine", "format": "json"})
    changed = apply(inst, tmp_path / "pipeline.yaml", LAYOUTS.replace("header: Sum", "header: Total"))
    assert changed == ["notes: export layout 'Books' changed"]
    assert [one.name for one in list_layouts(inst, inst.team_id, "notes")] == ["Books", "mine"]


def test_wrong_layouts_are_told_with_their_place(inst: Installation, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        apply(inst, tmp_path / "pipeline.yaml", LAYOUTS.replace("Lines.Amount", "Lines.Price"))
    assert caught.value.message == (
        "pipeline.yaml:5: parsers[0].layouts[0].columns[1].field: Unknown field: Lines.Price"
    )
