"""The examples in the client's README run."""

from __future__ import annotations

import asyncio
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import docduck.samples
from docduck.service.parsers.parsers import get_parser, list_parsers
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving
from tools.readme import ROOT


@contextmanager
def reading(api: Api) -> Iterator[None]:
    """Read what is uploaded, as runs do, until the block ends."""
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(0.2):
            api.process(*[one.id for one in list_parsers(api.inst, api.inst.team_id)])

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@pytest.mark.slow
def test_the_examples_of_the_readme_run(
    make_installation: MakeInstallation,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    section = (ROOT / "docduck/client/README.md").read_text()
    first, second = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    samples = Path(docduck.samples.__file__).parent / "invoices"
    shutil.copy(samples / "2024103377.pdf", tmp_path / "my-invoice.pdf")
    shutil.copy(samples / "Rechnung RE-2024-0815.pdf", tmp_path / "another.pdf")
    monkeypatch.chdir(tmp_path)
    inst = make_installation(rate_limit_minute=0)
    with serving(inst) as api, reading(api):
        monkeypatch.setenv("DOCDUCK_SERVER", api.address)
        monkeypatch.setenv("DOCDUCK_KEY", api.key)
        world: dict[str, Any] = {}
        exec(compile(first, "README.md", "exec"), world)
        printed = capsys.readouterr().out.splitlines()
        assert [line.split()[:2] for line in printed] == [
            ["my-invoice.pdf", "processed"],
            ["another.pdf", "processed"],
        ]
        assert all(float(line.split()[2]) > 0 for line in printed)
        exec(compile(second, "README.md", "exec"), world)
        parser_id = get_parser(inst, inst.team_id, "bills").id
        assert 119 in asyncio.run(world["totals"](parser_id))
        asyncio.run(world["delete"](parser_id, "A-17"))
        assert len(asyncio.run(world["totals"](parser_id))) == 1
        asyncio.run(world["delete"](parser_id, "A-17"))
        assert capsys.readouterr().out == "({'type': 'externalId', 'value': 'A-17'},)\n"
