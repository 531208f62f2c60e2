from __future__ import annotations

import pickle
from pathlib import Path
from typing import get_args

import pytest

from docduck.extraction.model_options import model_options
from docduck.extraction.model_presets import OTHER, PRESETS, Form, Preset, Reasoning, preset_at
from docduck.settings import ModelPreset, Settings


def test_settings_name_every_preset() -> None:
    assert get_args(ModelPreset) == (*PRESETS,)


@pytest.mark.parametrize(
    ("base_url", "name"),
    [
        ("http://127.0.0.1:11434/v1", "ollama"),
        ("http://localhost:1234/v1", "lmstudio"),
        ("https://api.openai.com/v1", "openai"),
        ("https://api.anthropic.com/v1/", "anthropic"),
        ("https://us.openai.azure.com/openai/v1/", "azure"),
        ("https://us.openai.azure.com/openai/deployments/a?api-version=2024-10-21", "azure"),
        ("https://us.services.ai.azure.com/openai/v1", "azure"),
        ("https://generativelanguage.googleapis.com/v1beta/openai/", "gemini"),
        ("https://api.mistral.ai/v1", "mistral"),
        ("http://127.0.0.1:8000/v1", None),
        ("https://models.example.org/api.openai.com/v1", None),
        ("https://models.example.org:11434x/v1", None),
    ],
)
def test_a_server_is_recognised_by_its_address(base_url: str, name: str | None) -> None:
    assert preset_at(base_url) is (PRESETS[name] if name else OTHER)


def test_a_preset_s_address_is_the_one_it_is_recognised_by() -> None:
    for preset in PRESETS.values():
        if preset.places and preset.base_url:
            assert preset_at(preset.base_url) is preset


@pytest.mark.parametrize("preset", [OTHER, *PRESETS.values()])
def test_presets_are_whole_and_reach_workers(preset: Preset) -> None:
    assert pickle.loads(pickle.dumps(preset)) == preset
    assert set(preset.forms) <= set(get_args(Form)) and "text" in preset.forms
    assert set(preset.reasoning) == {*get_args(Reasoning)} - {"default"}


def test_the_settings_choose_the_preset(tmp_path: Path) -> None:
    named = model_options(Settings(home=tmp_path, model_preset="mistral"))
    assert named is not None and named.base_url == "https://api.mistral.ai/v1"
    elsewhere = model_options(
        Settings(home=tmp_path, model_preset="vllm", model_base_url="http://gpu.example.org/v1")
    )
    assert elsewhere is not None
    assert (elsewhere.base_url, elsewhere.preset) == ("http://gpu.example.org/v1", PRESETS["vllm"])
    recognised = model_options(Settings(home=tmp_path, model_base_url="http://127.0.0.1:11434/v1"))
    assert recognised is not None and recognised.preset is PRESETS["ollama"]


def test_a_worker_knows_no_secret_of_the_endpoint(tmp_path: Path) -> None:
    settings = Settings(
        home=tmp_path,
        model_base_url="http://127.0.0.1:1/v1",
        model_api_key="k3y",
        model_extra_headers={"X-Project": "h1dden"},
        model_extra_body={"seed": 7},
    )
    options = model_options(settings)
    assert options is not None and options.extra_headers["X-Project"].get_secret_value() == "h1dden"
    packed = pickle.dumps(options.for_worker())
    assert b"seed" in packed and b"h1dden" not in packed and b"k3y" not in packed
