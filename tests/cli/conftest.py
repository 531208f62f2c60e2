"""The command line, called in this process as a user would."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from docduck.cli.main import run as run_command
from docduck.service.core.installation import Installation, open_installation
from docduck.settings import Settings, settings
from tests.constants import Constants, split
from tests.server.served import Api, serving


class Ran(NamedTuple):
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Docduck = Callable[..., Ran]


@pytest.fixture
def environment(
    tmp_path: Path, sqlite_template: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., None]]:
    """Sets ``DOCDUCK_<NAME>`` variables, and constants; at first no variable but an empty home is set."""
    constants = Constants()
    for name in Settings.model_fields:
        monkeypatch.delenv(f"DOCDUCK_{name.upper()}", raising=False)

    def change(**values: object) -> None:
        variables, others = split(values)
        constants.set(others)
        for name, value in variables.items():
            monkeypatch.setenv(f"DOCDUCK_{name.upper()}", str(value))
        settings.cache_clear()

    monkeypatch.chdir(tmp_path)
    (tmp_path / "home").mkdir(mode=0o700)
    shutil.copy(sqlite_template, tmp_path / "home")
    change(
        home=tmp_path / "home",
        workers=1,
        run_idle_seconds=0,
        run_warm_seconds=0,
        publish_seconds=0,
        publish_copy_factor=0,
    )
    yield change
    settings.cache_clear()
    constants.reset()


@pytest.fixture
def inst(environment: Callable[..., None]) -> Iterator[Installation]:
    """The installation that commands work with."""
    environment(rate_limit_minute=0, classify_inline_seconds=0, allow_insecure_webhooks=True)
    inst = open_installation(settings())
    yield inst
    inst.close()


@pytest.fixture
def api(inst: Installation) -> Iterator[Api]:
    """A server of that installation."""
    with serving(inst) as api:
        yield api


@pytest.fixture
def docduck(environment: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> Docduck:
    """Runs ``docduck`` with these arguments."""

    def call(*arguments: object) -> Ran:
        capsys.readouterr()
        code = run_command([str(one) for one in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call
