"""Export formats of other packages: chosen by name wherever a format is, written as docduck's own."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

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

def written():
    plan = resolve("lines", None, None, [])
    target = io.BytesIO()
    now = dt.datetime(2026, 1, 31)
    made = write(target, [ExportDocument("1", "a.pdf", None, "processed", now, None, None, {})], plan)
    return [plan.scope, plan.extension, plan.content_type, target.getvalue().decode(), made.row_count]

print(json.dumps({
    "formats": list(Format),
    "written": tell(written),
    "other scope": tell(lambda: resolve("lines", "all_sheets", None, []).scope),
    "types": content_types(),
    "pipeline": tell(lambda: ExportSpec(name="x", parser="y", format="lines", schedule="0 2 * * *").format),
    "api": ExportBody.model_json_schema()["$defs"]["Format"]["enum"],
}))
"""


def _use(tmp_path: Path, code: str, name: str = "lines") -> dict[str, object]:
    (tmp_path / "made_lines.py").write_text(code)
    metadata = tmp_path / "made-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: made\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[docduck.exports]\n{name} = made_lines:added\n")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {_USE}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert not done.returncode, done.stderr
    result: dict[str, object] = json.loads(done.stdout)
    return result


OWN = ["json", "xml", "csv", "xlsx", "parquet"]


def test_it_is_listed_chosen_and_written(tmp_path: Path) -> None:
    used = _use(tmp_path, _CODE)
    assert used["formats"] == used["api"] == [*OWN, "lines"]
    assert used["written"] == ["fields_only", "lines", "text/x-lines", "a.pdf\n", 1]
    assert used["other scope"] == "lines has no scope all_sheets. Supported: fields_only, table"
    types = used["types"]
    assert isinstance(types, list) and types[-1] == "text/x-lines"
    assert used["pipeline"] == "lines"


def test_a_broken_one_says_so_where_it_is_chosen(tmp_path: Path) -> None:
    used = _use(tmp_path, "import not_there")
    assert used["formats"] == [*OWN, "lines"]
    assert used["pipeline"] == "lines"
    assert (
        used["written"]
        == used["other scope"]
        == (
            "The plugin lines (exports) of the package made 1.0 can't be loaded: "
            "ModuleNotFoundError: No module named 'not_there'"
        )
    )


def test_its_error_names_it(tmp_path: Path) -> None:
    used = _use(tmp_path, _CODE.replace("count = 0", "count = 1 / 0"))
    assert used["written"] == "The export format lines failed: ZeroDivisionError: division by zero"


@pytest.mark.parametrize("name", ["json", "two words"])
def test_a_name_that_can_not_be_used_adds_nothing(tmp_path: Path, name: str) -> None:
    used = _use(tmp_path, "import not_there", name)
    assert used["formats"] == OWN


def test_without_plugins_there_are_docducks_own() -> None:
    assert list(Format) == OWN


def test_an_error_of_docducks_own_is_not_told_as_another_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("docduck.exports.json_file.write_json", fail)
    with pytest.raises(ZeroDivisionError):
        write(io.BytesIO(), [], resolve("json", None, None, []))
