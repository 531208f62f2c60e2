"""The README files name every key of pipeline.yaml, and their examples are valid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from pydantic import BaseModel

from docduck.service.parsers.settings_schema import ParserSettings
from docduck.service.pipeline.pipeline_spec import Pipeline, load_pipeline
from docduck.service.pipeline.source_kinds import KINDS, source_kind
from tools.readme import ROOT

PAGES = ("docduck/service/pipeline/README.md", "docduck/sources/README.md", "docduck/exports/README.md")
EXAMPLES = [
    (page, example)
    for page in PAGES
    for example in re.findall(r"```yaml\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    if re.match(r"(#.*\n)?(parsers|sources):", example)
]
REFUSED = {"id", "position"}
"""Keys of fields that the file must not have."""


def models(kind: Any) -> Iterator[type[BaseModel]]:
    """Yield the models in an annotation."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    for part in get_args(kind):
        yield from models(part)


def keys(model: type[BaseModel]) -> dict[str, list[type[BaseModel]]]:
    """Return the keys of a model, each with the models of its values."""
    return {
        field.alias or name: list(models(field.annotation))
        for name, field in model.model_fields.items()
        if name not in REFUSED
    }


def used(value: Any, model: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """Yield the models and keys that an example uses."""
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, Mapping):
            continue
        for key, inner in keys(model).items():
            if key not in item:
                continue
            yield model.__name__, key
            for one in item[key] if key == "sources" else [item[key]]:
                for found in [source_kind(one)] if key == "sources" else inner:
                    yield from used(one, found)


def accepted(model: type[BaseModel], seen: set[type[BaseModel]]) -> Iterator[tuple[str, str]]:
    """Yield the models and keys that pipeline.yaml may have."""
    if model not in seen:
        seen.add(model)
        for key, inner in keys(model).items():
            yield model.__name__, key
            for one in inner:
                yield from accepted(one, seen)


@pytest.mark.parametrize(("page", "example"), EXAMPLES)
def test_an_example_is_valid(
    page: str, example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in re.findall(r"\$\{(\w+)\}", example):
        monkeypatch.setenv(name, "secret")
    file = tmp_path / "pipeline.yaml"
    file.write_text(example)
    assert load_pipeline(file), page


def test_every_key_of_the_file_is_named() -> None:
    """A key is used by an example of its object, or a comment or code of these pages names it."""
    found = {pair for _, example in EXAMPLES for pair in used(yaml.safe_load(example), Pipeline)}
    everything = set(accepted(Pipeline, set()))
    texts = [(ROOT / page).read_text() for page in PAGES]
    comments = [comment for _, example in EXAMPLES for comment in re.findall("#.*", example)]
    code = [one for text in texts for one in re.findall("`[^`\n]+`", text)]
    named = set(re.findall(r"\w+", " ".join([*comments, *code])))
    assert {pair for pair in everything - found if pair[1] not in named} == set()
    assert len(everything) > 80
    assert {kind.__name__ for kind in KINDS.values()} <= {kind for kind, _ in found}


def test_every_setting_of_a_parser_is_named() -> None:
    text = (ROOT / PAGES[0]).read_text().partition("## Settings of a parser")[2]
    named = set(re.findall(r"[A-Za-z]+", text))
    missing = {(model, key) for model, key in accepted(ParserSettings, set()) if key not in named}
    assert missing == set()
