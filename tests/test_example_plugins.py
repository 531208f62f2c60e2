"""The example of a package that adds a format, a domain, a source and an export, installed and used."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.outbound.web import SITE, ok, running

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "calendar"
MEETING = b"""BEGIN:VCALENDAR
BEGIN:VEVENT
UID:42@example.org
SUMMARY:Yearly meeting of the
  allotment society
DTSTART:20260314T180000Z
DTEND:20260314T193000Z
LOCATION:Town hall
END:VEVENT
END:VCALENDAR
"""
FIELDS = [
    {"name": "Event", "type": "text"},
    {"name": "Location", "type": "text"},
    {"name": "Duration", "type": "number"},
]
PIPELINE = """
parsers:
- name: Events
  fields: [{{name: Event, type: text}}, {{name: Location, type: text}}, {{name: Duration, type: number}}]
  layouts: [{{name: Page, format: markdown, scope: fields_only, columns: [Event, Duration]}}]
sources:
- {{name: society, calendar: "{url}", parser: events, every: 1h}}
exports:
- {{name: weekly, parser: events, layout: Page, schedule: "0 2 * * 1"}}
"""
TAKE_IN = """
from docduck.service.core.installation import open_installation
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.sources.intake import ingest
from docduck.service.sources.sources import sources
from docduck.settings import settings

inst = open_installation(settings())
for source in sources(inst)[1:]:
    print(source.kind, ingest(inst, source).registered)
process_queue(inst, RunOptions(idle_seconds=0))
inst.close()
"""
Run = Callable[..., str]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example, as pip installs it."""
    folder = tmp_path_factory.mktemp("example")
    source = shutil.copytree(EXAMPLE, folder / "source")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(folder / "packages")]
    subprocess.run([*pip, *options, str(source)], check=True)
    return folder / "packages"


@pytest.fixture
def run(installed: Path, tmp_path: Path) -> Run:
    """Runs ``docduck`` with these arguments, or Python with a program, in a folder of its own."""

    def run(*arguments: str, program: str = "from docduck.cli.main import main; main()") -> str:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(installed), str(ROOT)]),
            "DOCDUCK_OUTBOUND_ALLOWED_NETWORKS": f"{SITE}/32",
            "DOCDUCK_WORKERS": "1",
        }
        done = subprocess.run(
            [sys.executable, "-P", "-c", program, *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert not done.returncode, done.stderr
        return done.stdout

    return run


def test_its_format_is_read_and_its_domain_finds_a_value(run: Run, tmp_path: Path) -> None:
    (tmp_path / "meeting.ics").write_bytes(MEETING)
    (tmp_path / "fields.json").write_text(json.dumps(FIELDS))
    read = json.loads(run("extract", "meeting.ics", "--fields", "fields.json", "--json"))
    assert read["data"] == {
        "Event": "Yearly meeting of the allotment society",
        "Location": "Town hall",
        "Duration": 90,
    }


@pytest.mark.extended
def test_its_source_is_taken_in_and_its_export_written(run: Run, tmp_path: Path) -> None:
    with running() as (site, _):
        site.pages["/society.ics"] = ok(MEETING)
        (tmp_path / "pipeline.yaml").write_text(PIPELINE.format(url=site.url("/society.ics")))
        run("apply")
        assert "42@example.org" in run("sources", "test", "society")
        assert run(program=TAKE_IN) == "calendar 1\n"
        assert run(program=TAKE_IN) == "calendar 0\n"
    (document,) = json.loads(run("documents", "list", "--parser", "events", "--json"))["data"]
    assert document["name"] == "42@example.org.ics"
    run(
        "export",
        "events",
        "--format",
        "markdown",
        "--scope",
        "fields_only",
        "--folder",
        "out",
        "--file",
        "all",
    )
    heading, _, row = (tmp_path / "out" / "all.md").read_text().splitlines()
    assert heading.endswith("| Event | Location | Duration |")
    assert row.endswith("| Yearly meeting of the allotment society | Town hall | 90 |")
    run("export", "events", "--layout", "Page", "--folder", "out", "--file", "page")
    assert (tmp_path / "out" / "page.md").read_text().splitlines()[0] == "| Event | Duration |"
    assert "markdown" in run("export", "--help")
