"""Export formats of other packages: chosen by name wherever a format is, written as docduck's own."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import Any

import pytest

from docduck.exports import Format, resolve, write

_CODE = """
from docduck.exports import Scope, Written

class added:
    content_type = "text/x-lines"
    extension = "lines"
    scopes = (Scope.FIELDS_ONLY, Scope.TABLE)
    def write(self, target, documents, plan):
        count = 0
        for count, document in enumerate(documents, 1):
            target.write(document.name.encode() + b"\\n")
        return Written(count, count)

class failing(added):
    def write(self, target, documents, plan):
        return 1 / 0
"""
_POINTS = """[docduck.exports]
lines = made_lines:added
failing = made_lines:failing
broken = not_there:added
json = made_lines:added
two words = made_lines:added
"""
_USE = """
import datetime as dt, io, json
from docduck.errors import DocduckError
from docduck.exports import ExportDocument, Format, resolve, write
from docduck.exports.plan import content_types
from docduck.service.pipeline.export_specs import ExportSpec
from docduck.api.schemas.exports import ExportBody

def tell(act):
    try:
        return act()
    except (DocduckError, ValueError) as error:
        return str(error)

def written(name):
    plan = resolve(name, None, None, [])
    target = io.BytesIO()
    now = dt.datetime(2026, 1, 31)
    made = write(target, [ExportDocument("1", "a.pdf", None, "processed", now, None, None, {})], plan)
    return [plan.scope, plan.extension, plan.content_type, target.getvalue().decode(), made.row_count]

def spec(name):
    return ExportSpec(name="x", parser="y", format=name, schedule="0 2 * * *").format

names = ["lines", "failing", "broken"]
print(json.dumps({
    "formats": list(Format),
    "written": {name: tell(lambda: written(name)) for name in names},
    "other scope": {name: tell(lambda: resolve(name, "all_sheets", None, []).scope) for name in names},
    "types": content_types(),
    "pipeline": {name: tell(lambda: spec(name)) for name in names},
    "api": ExportBody.model_json_schema()["$defs"]["Format"]["enum"],
}))
"""


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a process says that has formats of another package."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "made_lines.py").write_text(_CODE)
    metadata = folder / "made-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: made\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(_POINTS)
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); {_USE}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert not done.returncode, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


OWN = ["json", "xml", "csv", "xlsx", "parquet"]


def test_they_are_listed_but_for_names_that_can_not_be_used(used: dict[str, Any]) -> None:
    assert sorted(used["formats"]) == sorted(used["api"]) == sorted([*OWN, "lines", "failing", "broken"])
    assert used["formats"][: len(OWN)] == OWN == list(Format)


def test_one_is_chosen_and_written(used: dict[str, Any]) -> None:
    assert used["written"]["lines"] == ["fields_only", "lines", "text/x-lines", "a.pdf\n", 1]
    assert used["other scope"]["lines"] == "lines has no scope all_sheets. Supported: fields_only, table"
    assert "text/x-lines" in used["types"]
    assert used["pipeline"]["lines"] == "lines"


def test_a_broken_one_says_so_where_it_is_chosen(used: dict[str, Any]) -> None:
    assert used["pipeline"]["broken"] == "broken"
    assert (
        used["written"]["broken"]
        == used["other scope"]["broken"]
        == (
            "The plugin broken (exports) of the package made 1.0 can't be loaded: "
            "ModuleNotFoundError: No module named 'not_there'"
        )
    )


def test_its_error_names_it(used: dict[str, Any]) -> None:
    told = "The export format failing failed: ZeroDivisionError: division by zero"
    assert used["written"]["failing"] == told


def test_an_error_of_docducks_own_is_not_told_as_another_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("docduck.exports.json_file.write_json", fail)
    with pytest.raises(ZeroDivisionError):
        write(io.BytesIO(), [], resolve("json", None, None, []))
