from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from docduck.errors import InputError
from docduck.extraction import models as models_module
from docduck.extraction.model_presets import PRESETS
from docduck.extraction.models import Models, model_status, read_models, usable_models
from docduck.settings import Settings

URL = "http://127.0.0.1:1/v1"


def with_file(home: Path, text: str, **more: Any) -> Settings:
    settings = Settings(home=home, **more)
    settings.models_file.write_text(text)
    return settings


def test_there_are_the_model_of_the_settings_and_those_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOSTED_KEY", "k3y")
    monkeypatch.setenv("DOCDUCK_MODEL_SECONDS", "7")
    monkeypatch.setenv("DOCDUCK_MODEL_API_KEY", "of the default alone")
    text = f"""
hosted:
  {{preset: openai, model: large, api_key: HOSTED_KEY, extra_headers: {{A: HOSTED_KEY}}, input_price: 0.5}}
local.2: {{base_url: "{URL}", vision: true, picture_width: 640, max_concurrent: 1}}
"""
    models = read_models(with_file(tmp_path, text, model_base_url=URL, model_name="small")).by_name
    _, hosted, local = models.values()
    assert [*models] == ["default", "hosted", "local.2"] == [model.name for model in models.values()]
    assert [model.label for model in models.values()] == ["small", "hosted (large)", "local.2"]
    assert [model.seconds for model in models.values()] == [7, 120, 120]
    assert hosted.base_url == "https://api.openai.com/v1" and hosted.preset is PRESETS["openai"]
    assert hosted.api_key is not None and hosted.api_key.get_secret_value() == "k3y"
    assert hosted.extra_headers["A"].get_secret_value() == "k3y"
    assert (hosted.input_price, hosted.picture_width) == (0.5, PRESETS["openai"].picture_width)
    assert local.api_key is None
    assert (local.vision, local.picture_width, local.max_concurrent) == (True, 640, 1)
    assert [model.is_on_this_machine for model in models.values()] == [True, False, True]
    assert len({model.slots for model in models.values()}) == 3, "each has requests of its own"
    assert b"k3y" not in pickle.dumps(hosted.for_worker())
    assert "k3y" not in repr(models)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: {}", "1: a: needs one of "),
        ("a: 5", "1: a: must be an object with the keys "),
        ("- a", "1: must have the names of models as keys"),
        (f"Large: {{base_url: {URL!r}}}", "1: Large: must be of lower-case letters, digits"),
        ("../x: {preset: openai}", "1: ../x: must be of lower-case letters, digits"),
        ("default: {preset: openai}", "1: default: is the name of the model that DOCDUCK_MODEL_… set"),
        ("a:\n  preset: openai\n  colour: red", "3: a.colour: there is no such key; known are "),
        ("a: {base_url: localhost}", "1: a.base_url: must match the pattern"),
        ("a: {preset: azure}", "1: a.preset: 'azure' needs base_url, "),
        ("a: {preset: openai, input_price: -1}", "1: a.input_price: must be at least 0"),
        ("a: {preset: openai, monthly_budget: 1}", "1: a.monthly_budget: there is no such key"),
        (
            "a: {preset: openai, api_key: NOT_SET}",
            "1: a.api_key: the environment variable NOT_SET is not",
        ),
        (
            "a: {preset: openai, api_key: sk-s3cret}",
            "1: a.api_key: must be the name of an environment",
        ),
        ("a: {preset: openai, extra_headers: {X: s3cret}}", "1: a.extra_headers: must be the name of an env"),
        ("a: {preset: openai, model: x, model: y}", "1: a.model: is given twice"),
    ],
)
def test_what_is_wrong_with_the_file_is_told_with_line_name_and_key(
    text: str, told: str, tmp_path: Path
) -> None:
    settings = with_file(tmp_path, text, model_base_url=URL)
    with pytest.raises(InputError) as caught:
        read_models(settings)
    assert caught.value.message.startswith(f"models.yaml:{told}")
    assert "s3cret" not in caught.value.message
    usable = usable_models(settings)
    assert [*usable.by_name] == ["default"], "that of the settings goes on"
    assert usable.problem == caught.value.message.splitlines()[0]


def test_a_model_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    models = usable_models(with_file(tmp_path, "default: {preset: ollama}\nlarge: {preset: openai}"))
    assert models.named("large").name == "large" and models.default is models.named("default")
    with pytest.raises(InputError, match=r"; there are default, large$"):
        models.named("small")
    with pytest.raises(InputError, match=r"^there is no language model 'small'; none is configured$"):
        Models().named("small")


def test_the_settings_name_another_file(tmp_path: Path) -> None:
    assert read_models(Settings(home=tmp_path)).by_name == {}
    other = tmp_path / "others.yaml"
    with pytest.raises(InputError, match="can't be read"):
        read_models(Settings(home=tmp_path, models=other))
    other.write_text("large: {preset: openai}")
    assert [*read_models(Settings(home=tmp_path, models=other)).by_name] == ["large"]


def test_a_model_file_is_looked_for_beside_the_list_of_models(tmp_path: Path) -> None:
    (tmp_path / "models.yaml").write_text("small:\n  file: weights/small.gguf\n")
    model = read_models(Settings(home=tmp_path)).named("small")
    assert model.local is not None and model.local.file == tmp_path / "weights" / "small.gguf"
    assert model.is_on_this_machine and model.for_worker().local is None


def test_keys_that_do_nothing_for_a_model_file_are_refused_all_at_once(tmp_path: Path) -> None:
    of_file = {"file": "a.gguf", "context_tokens": "4096", "seconds": "7"}
    lines = [f"  {key}: {of_file.get(key, 'x')}" for key in models_module._KEYS]
    settings = with_file(tmp_path, "\n".join(["small:", *lines]))
    with pytest.raises(InputError) as caught:
        read_models(settings)
    assert caught.value.message.splitlines() == [
        f"models.yaml:{line}: small.{key}: does nothing for a model file, whose keys are file, "
        "context_tokens, seconds"
        for line, key in enumerate(models_module._KEYS, start=2)
        if key not in of_file
    ]
    lines = [f"  {key}: {value}" for key, value in of_file.items()]
    small = read_models(with_file(tmp_path, "\n".join(["small:", *lines]))).named("small")
    assert (small.model, small.context_tokens, small.seconds) == ("a", 4096, 7), "what is left does something"
    endpoint = read_models(with_file(tmp_path, f"a: {{file: null, base_url: '{URL}'}}")).named("a")
    assert endpoint.base_url == URL


def test_the_state_of_a_model_that_a_preset_names_is_told(tmp_path: Path) -> None:
    status = model_status(Settings(home=tmp_path, model_preset="openai"))
    assert status is not None
    assert status.endpoint == "api.openai.com"
