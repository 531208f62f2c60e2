"""The map of docduck/README.md, "How to add", is followed in a copy of the library: what was added works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tools.readme import ROOT


@dataclass(frozen=True)
class Addition:
    """What somebody adds by a row of the table.

    ``new`` are files of the library with their text, ``lines`` the lines put after a line that begins with a
    text into known files, and ``use`` is a program that fails unless the addition works.
    """

    row: str
    use: str
    new: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)


READER = Addition(
    row="a file format",
    new={
        "documents/formats/logbook.py": """
            from docduck.documents.document import Document
            from docduck.documents.formats.plaintext import TextReader

            class LogbookReader(TextReader):
                def read(self, data, content_type, options):
                    return super().read(data[:8:-1], content_type, options)
            """
    },
    lines={
        "documents/reader.py": (
            (
                "from docduck.documents.formats.images",
                "from docduck.documents.formats.logbook import LogbookReader",
            ),
            ("READERS: dict", '    "text/x-logbook": LogbookReader(),'),
        ),
        "documents/detection/sniff.py": (
            (
                '    """Return the type by the first bytes',
                '    if data.startswith(b"LOGBOOK"):\n        return "text/x-logbook"',
            ),
        ),
        "documents/detection/file_types.py": (
            ("OWN_TYPES: Seq", '    FileType("text/x-logbook", "Logbook"),'),
        ),
    },
    use="""
        from docduck import extract
        from docduck.fields import Field
        extraction = extract(b"LOGBOOK 1" + b"Harbour: Lowestoft"[::-1], [Field(name="Harbour")])
        assert extraction.data == {"Harbour": "Lowestoft"}, extraction.data
        """,
)
EXTRACTOR = Addition(
    row="an extractor",
    new={
        "extraction/extractors/tides/__init__.py": "",
        "extraction/extractors/tides/extractor.py": """
            from docduck.extraction.extractor import Findings
            from docduck.extraction.result import Finding

            class TidesExtractor:
                def find(self, document, queries, options):
                    values = {query.name: "high" for query in queries if query.name == "Tide"}
                    return Findings({name: Finding(value, 0.9) for name, value in values.items()})
            """,
    },
    lines={
        "extraction/run_extractors.py": (
            (
                "from docduck.extraction.extractors.structured",
                "from docduck.extraction.extractors.tides.extractor import TidesExtractor",
            ),
            ("_EXACT: tuple", "    TidesExtractor(),"),
        )
    },
    use="""
        from docduck import extract
        from docduck.fields import Field
        extraction = extract(b"Nothing about it\\n", [Field(name="Tide")])
        assert extraction.data == {"Tide": "high"}, extraction.data
        """,
)
EXPORT = Addition(
    row="an export format",
    new={
        "exports/names_file.py": """
            from docduck.exports.model import Written

            def write_names(target, documents, plan):
                count = 0
                for count, document in enumerate(documents, 1):
                    target.write(document.name.encode())
                return Written(count, count)
            """
    },
    lines={
        "exports/model.py": (("    JSON =", '    NAMES = "names"'),),
        "exports/plan.py": (('        "json",', '        "names",'),),
        "exports/formats.py": (
            (
                "JSON =",
                'NAMES = _Format("txt", "text/plain", (None,), "docduck.exports.names_file:write_names")',
            ),
        ),
    },
    use="""
        import datetime as dt, io
        from docduck.exports import ExportDocument, resolve, write
        target, now = io.BytesIO(), dt.datetime(2026, 1, 31)
        document = ExportDocument("1", "a.pdf", None, "processed", now, None, None, {})
        assert write(target, [document], resolve("names", None, None, [])).document_count == 1
        assert target.getvalue() == b"a.pdf"
        """,
)
PAGE = Addition(
    row="a page",
    new={
        "web/harbours/__init__.py": "",
        "web/harbours/router.py": """
            from docduck.web.page import page
            from docduck.web.page_route import PageRouter
            from docduck.web.visit import CurrentUser

            router = PageRouter()

            @router.get("/harbours")
            def show(signed_in: CurrentUser):
                return page("harbours/harbours.html.j2", signed_in)
            """,
        "web/harbours/harbours.html.j2": "<h1>Harbours</h1>",
    },
    lines={
        "web/routers.py": (
            ("from docduck.web.first_user", "from docduck.web.harbours import router as harbours"),
            ("PAGES: Sequence", "    harbours.router,"),
        )
    },
    use="""
        from fastapi.testclient import TestClient
        from docduck.server.app import create_app
        from docduck.service.core.installation import open_installation
        client = TestClient(create_app(open_installation()), follow_redirects=False)
        asked = {"Accept": "text/html"}
        assert client.get("/harbours", headers=asked).status_code == 303
        assert client.get("/nothing", headers=asked).status_code == 404
        """,
)
COLUMN_TYPE = Addition(
    row="a type of columns",
    lines={
        "column_types.py": (
            (
                "VARCHAR_LIST =",
                'TIME = ColumnType("TIME", pa.time64("us"), dt.time.fromisoformat)',
            ),
            ("    FieldType.LIST:", "    FieldType.LIST: TIME,"),
        )
    },
    use="""
        import datetime as dt
        from docduck.fields import Field
        from docduck.frames import frame_of
        frame = frame_of([Field(name="At", type="list")], [{"At": "12:30"}])
        assert frame["At"].to_list() == [dt.time(12, 30)], frame
        """,
)
SETTING = Addition(
    row="a setting",
    lines={
        "settings.py": (("class _Documents", '    harbour: str = "none"\n    """Where ships are sent."""'),)
    },
    use="""
        from docduck.settings import Settings
        from tools.readme import settings_table
        assert Settings(harbour="Lowestoft").harbour == "Lowestoft"
        assert "| `DOCDUCK_HARBOUR` | `none` | Where ships are sent |" in settings_table()
        """,
)
TOOL = Addition(
    row="a tool for agents",
    new={
        "mcp/tools/harbours.py": """
            from docduck.api.routers import usage
            from docduck.mcp.tool import READ, rest_tool

            TOOLS = (rest_tool(usage.get, "count_ships", READ, "Return how many ships came."),)
            """
    },
    lines={
        "mcp/tools/__init__.py": (
            ("    folders,", "    harbours,"),
            ("_MODULES = (", "    harbours,"),
        )
    },
    use="""
        from docduck.mcp.tools import TOOLS
        assert [tool.name for tool in TOOLS].count("count_ships") == 1
        """,
)
COMMAND = Addition(
    row="a command",
    new={
        "cli/commands/harbours.py": """
            from docduck.cli.output import say

            def harbours() -> None:
                \"\"\"List harbours.\"\"\"
                say("Lowestoft")
            """
    },
    lines={"cli/main.py": (("COMMANDS = {", '    "harbours": "docduck.cli.commands.harbours:harbours",'),)},
    use="""
        import subprocess, sys
        done = subprocess.run([sys.executable, "-m", "docduck", "harbours"], capture_output=True, text=True)
        assert done.stdout == "Lowestoft\\n", done
        """,
)
ADDITIONS = (READER, EXTRACTOR, EXPORT, PAGE, COLUMN_TYPE, SETTING, TOOL, COMMAND)


@pytest.mark.extended
@pytest.mark.parametrize("addition", ADDITIONS, ids=lambda addition: addition.row)
def test_what_the_map_says_is_enough(addition: Addition, tmp_path: Path) -> None:
    """A copy of the library is changed only where the row says."""
    row = _row(addition.row)
    for place in addition.lines:
        assert any(place.startswith(named) for named in re.findall(r"`([a-z_/]+(?:\.py)?)`", row)), (
            place,
            row,
        )
    _copy(tmp_path)
    for place, text in addition.new.items():
        path = tmp_path / "docduck" / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(_dedented(text))
    for place, lines in addition.lines.items():
        path = tmp_path / "docduck" / place
        path.write_text(_with_lines(path.read_text(), lines))
    done = _run(_dedented(addition.use), tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.extended
def test_without_an_addition_none_of_them_works(tmp_path: Path) -> None:
    """The programs that use additions fail in the library as it is."""
    _copy(tmp_path)
    assert all(_run(_dedented(addition.use), tmp_path).returncode for addition in ADDITIONS)


def _row(what: str) -> str:
    table = (ROOT / "docduck" / "README.md").read_text()
    rows = [line for line in table.splitlines() if line.startswith(f"| {what}")]
    assert len(rows) == 1, f"docduck/README.md has {len(rows)} rows for {what}"
    return rows[0]


def _copy(folder: Path) -> None:
    for name in ("docduck", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))


def _with_lines(text: str, lines: tuple[tuple[str, str], ...]) -> str:
    for beginning, added in lines:
        pattern = re.compile(rf"^{re.escape(beginning)}.*\n", re.MULTILINE)
        text, count = pattern.subn(lambda match, added=added: f"{match[0]}{added}\n", text, count=1)  # type: ignore[misc]
        assert count, f"there is no line that begins with {beginning}"
    return text


def _run(program: str, folder: Path) -> subprocess.CompletedProcess[Any]:
    environment = os.environ | {"PYTHONPATH": str(folder), "DOCDUCK_HOME": str(folder / "home")}
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def _dedented(text: str) -> str:
    return textwrap.dedent(text).lstrip()
