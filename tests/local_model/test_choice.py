from __future__ import annotations

from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.extraction.model_options import model_options
from docduck.extraction.models import model_status
from docduck.local_model.choice import Choice, choose, chosen, local_model
from docduck.settings import Settings
from tests.local_model.tiny_model import write_tiny_model


def test_a_setting_goes_before_what_was_chosen(tiny: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert local_model(Settings(home=home)) is None
    choose(home, Choice(str(tiny), "chosen", "Apache-2.0"))
    model = local_model(Settings(home=home))
    assert model is not None
    assert (model.file, model.name, model.licence) == (tiny, "chosen", "Apache-2.0")
    other = write_tiny_model(tmp_path / "other.gguf")
    named = local_model(Settings(home=home, model_file=other))
    assert named is not None
    assert (named.file, named.name, named.licence) == (other, "other", "mit")
    assert local_model(Settings(home=home, model_base_url="http://localhost:1/v1")) is None
    choose(home, None)
    assert chosen(home) is None


def test_two_models_are_an_error(tiny: Path, tmp_path: Path) -> None:
    both = Settings(home=tmp_path, model_file=tiny, model_base_url="http://localhost:1/v1")
    with pytest.raises(InputError, match="DOCDUCK_MODEL_FILE and DOCDUCK_MODEL_BASE_URL are both set"):
        model_options(both)


def test_the_context_is_what_the_model_was_trained_with_at_most(tiny: Path, tmp_path: Path) -> None:
    def context(tokens: int | None = None) -> int:
        options = model_options(Settings(home=tmp_path, model_file=tiny, model_context_tokens=tokens))
        assert options is not None
        return options.context_tokens

    assert context() == 4096
    assert context(2048) == 2048
    assert context(100_000) == 4096
    endpoint = model_options(Settings(home=tmp_path, model_base_url="http://localhost:1/v1"))
    assert endpoint is not None
    assert endpoint.context_tokens == 32_768


def test_a_file_that_is_gone_is_told_and_stops_nothing(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, model_file=tmp_path / "gone.gguf")
    assert model_options(settings) is not None
    status = model_status(settings)
    assert status is not None
    assert (status.server, status.problem) == ("stopped", f"There is no file {tmp_path / 'gone.gguf'}")


def test_nothing_is_made_for_a_home_without_a_model(tmp_path: Path) -> None:
    assert model_status(Settings(home=tmp_path)) is None
    assert list(tmp_path.iterdir()) == []
