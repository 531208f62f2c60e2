"""Which model reads the documents of a parser or a classifier, and what it is asked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import ModelUsage
from docduck.errors import InputError
from docduck.extraction.jobs.classify_step import ClassifyStep
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.models import Models
from docduck.extraction.options import ExtractOptions
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.parsers.parser_settings import read_settings
from docduck.service.parsers.parsers import NewParser, ParserChanges, ParserView, create_parser, update_parser
from docduck.service.processing import model_spending
from docduck.service.processing.loaded_classifiers import LoadedClassifiers
from docduck.service.processing.model_spending import spent_this_month
from docduck.service.processing.processing import process_queue
from docduck.service.processing.worker_tasks import ModelChoice
from tests.conftest import MakeInstallation
from tests.endpoint import model, says
from tests.service.classifiers.classifiers_world import make_classifier
from tests.service.core.documents import FIELDS, upload

SLOTS = Path("unused")
HERE, AWAY = "http://localhost:1/v1", "https://models.example.org/v1"
MODELS = Models(
    {
        "default": ModelOptions(AWAY, "x", SLOTS),
        "local": ModelOptions(HERE, "y", SLOTS, api_key=None, name="local"),
    }
)


def chosen(inst: Installation, **settings: Any) -> tuple[str | None, str | None, str]:
    """The model for values with what it is asked, the one for kinds, and why there is none."""
    choice, parser = ModelChoice(inst, MODELS), read_settings(settings)
    values = choice.for_values(inst.team_id, parser, ExtractOptions())
    kinds = choice.for_kinds(inst.team_id, parser, ClassifyStep([]))
    asked = f"{values.model.name} {values.ask}" if values.model else None
    return asked, kinds.model.name if kinds.model else None, values.no_model


@pytest.mark.parametrize(
    ("settings", "asked", "kinds"),
    [
        ({}, None, None),
        ({"model": "local"}, "local unsure", None),
        ({"model": "local", "dataExtractionMode": "fast"}, None, None),
        ({"model": "local", "modelUse": "never"}, None, None),
        ({"modelUse": "unsure"}, "default unsure", None),
        ({"modelUse": "always"}, "default always", "default"),
        ({"modelUse": "always", "dataExtractionMode": "fast"}, "default always", "default"),
        ({"dataExtractionMode": "accurate"}, "default unsure", "default"),
        ({"dataExtractionMode": "accurate", "modelUse": "never"}, None, None),
        ({"dataExtractionMode": "accurate", "modelUse": "always", "model": "local"}, "local always", "local"),
    ],
)
def test_the_settings_say_which_model_is_asked_what(
    settings: dict[str, str], asked: str | None, kinds: str | None, inst: Installation
) -> None:
    assert chosen(inst, **settings) == (asked, kinds, "")


def test_workers_get_no_address(inst: Installation) -> None:
    options = ModelChoice(inst, MODELS).for_values(
        inst.team_id, read_settings({"model": "local"}), ExtractOptions()
    )
    assert options.model is not None and options.model.base_url == ""


@pytest.mark.parametrize("mode", ["balanced", "accurate"])
def test_a_model_that_is_gone_is_told_with_the_remedy(mode: str, inst: Installation) -> None:
    asked, kinds, why = chosen(inst, model="large", dataExtractionMode=mode)
    assert (asked, kinds) == (None, None)
    assert why == (
        "There is no language model 'large'; there are default, local (add it to models.yaml, or choose "
        "another in the parser's settings)"
    )
    assert chosen(inst, model="large", dataExtractionMode=mode, modelUse="never")[2] == ""


def test_a_classifier_has_the_model_that_it_names_or_the_default(inst: Installation) -> None:
    def step(name: str | None, models: Models = MODELS) -> ClassifyStep:
        models_file(inst, f"{{default: {{base_url: '{AWAY}'}}, local: {{base_url: '{HERE}'}}}}")
        made, _ = make_classifier(inst, new_id(), name=new_id(), model=name)
        classifiers = LoadedClassifiers(inst)
        classifiers.refresh([made.id])
        classifier = classifiers.get(made.id)
        assert classifier is not None
        return ModelChoice(inst, models).for_kinds(inst.team_id, classifier, ClassifyStep([]))

    chosen = {name: step(name).model for name in (None, "default", "local")}
    assert {name: model and (model.name, model.base_url) for name, model in chosen.items()} == {
        None: ("default", ""),
        "default": ("default", ""),
        "local": ("local", ""),
    }
    assert step(None, Models({"local": MODELS.by_name["local"]})) == ClassifyStep([])
    gone = step("local", Models({"default": MODELS.by_name["default"]}))
    assert gone.model is None and gone.no_model == (
        "There is no language model 'local'; there are default (add it to models.yaml, or choose another in "
        "the classifier's settings)"
    )


def test_kinds_are_told_of_a_model_that_is_gone_but_not_of_none(inst: Installation) -> None:
    choice = ModelChoice(inst, Models())
    named, unnamed = (
        choice.for_kinds(
            inst.team_id, read_settings({"dataExtractionMode": "accurate", "model": name}), ClassifyStep([])
        )
        for name in ("large", None)
    )
    assert named.no_model.startswith("There is no language model 'large'; none is configured (add it")
    assert unnamed.no_model == ""


def parser_with(inst: Installation, name: str, **settings: Any) -> ParserView:
    return create_parser(inst, inst.team_id, NewParser(name=name, fields=FIELDS, settings=settings))


def read(inst: Installation, *parsers: ParserView) -> list[DocumentView]:
    ids = [
        upload(inst, inst.team_id, parser.slug, f"Letter A-17 for {parser.name}".encode(), "a.txt")
        for parser in parsers
    ]
    process_queue(inst)
    return [get_document(inst, inst.team_id, one) for one in ids]


def models_file(inst: Installation, text: str) -> Path:
    inst.settings.models_file.write_text(text)
    return inst.settings.models_file


def test_each_parser_has_its_own_model_and_the_budget_is_for_all(
    make_installation: MakeInstallation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_spending, "_KNOWN_SECONDS", 0.0)
    monkeypatch.setenv("LARGE_KEY", "k3y")
    answer = [says({"number": "A-17", "tags": []}, usage=(1_000_000, 0))]
    with model(answer) as small, model(answer) as large:
        inst = make_installation(
            model_base_url=small.url, model_name="s", model_input_price=1, model_monthly_budget=4, workers=2
        )
        models_file(inst, f"large: {{base_url: '{large.url}', model: l, api_key: LARGE_KEY, input_price: 3}}")
        one = parser_with(inst, "One", modelUse="always")
        two = parser_with(inst, "Two", modelUse="always", model="large")
        found = read(inst, one, two)
        assert [len(endpoint.questions) for endpoint in (small, large)] == [1, 1]
        assert [document.warnings for document in found] == [[], []]
        assert [document.data["Number"] for document in found] == ["A-17", "A-17"]
        assert small.questions[0].body["model"] == "s" and "Authorization" not in small.questions[0].headers
        assert large.questions[0].body["model"] == "l"
        assert large.questions[0].headers["Authorization"] == "Bearer k3y"
        with inst.catalog.read_session() as session:
            costs = {row.model: row.cost_micros for row in session.scalars(select(ModelUsage))}
        assert costs == {"s": 1_000_000, "large (l)": 3_000_000}
        assert spent_this_month(inst, inst.team_id) == 4
        for document in read(inst, one, two):
            assert document.warnings == [f"{model_spending.BUDGET_SPENT}; the document was read without one"]
        assert [len(endpoint.questions) for endpoint in (small, large)] == [1, 1]


def test_documents_of_a_model_that_is_gone_are_read_offline_with_a_warning(
    make_installation: MakeInstallation,
) -> None:
    inst = make_installation(workers=1)
    file = models_file(inst, f"large: {{base_url: '{AWAY}'}}")
    parser = parser_with(inst, "One", model="large", dataExtractionMode="accurate")
    for text, told in (
        ("other: {preset: openai}", "There is no language model 'large'; there are other (add it to models"),
        ("large: {base_url: 5}", "There is no language model 'large'; none is configured; models.yaml:1: la"),
    ):
        file.write_text(text)
        (found,) = read(inst, parser)
        assert found.status == "processed"
        (warning,) = found.warnings
        assert warning.startswith(told) and warning.endswith("; the document was read without one")


def test_only_models_that_are_there_can_be_chosen(inst: Installation) -> None:
    refused = r"there is no language model 'huge'; there are large$"
    models_file(inst, f"large: {{base_url: '{AWAY}'}}")
    with pytest.raises(InputError, match=rf"^settings\.model: {refused}"):
        parser_with(inst, "One", model="huge")
    parser = parser_with(inst, "One", model="large")
    with pytest.raises(InputError) as caught:
        update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"model": "huge"}))
    assert caught.value.path == "model" and re.match(rf"^model: {refused}", caught.value.message)
    models_file(inst, "")
    changes = ParserChanges(settings={"modelUse": "never"})
    changed = update_parser(inst, inst.team_id, parser.id, changes)
    assert changed.settings["model"] == "large", "what is not changed is not checked"
    for unset in ("", None):
        changed = update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"model": unset}))
        assert changed.settings["model"] is None
