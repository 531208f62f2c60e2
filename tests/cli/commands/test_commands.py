"""What the commands say and do, on an installation of the test's own."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from docduck import clock
from docduck.catalog.models import Document
from docduck.errors import InputError
from docduck.extraction.extractors.model.asking.circuit_breaker import CircuitBreaker
from docduck.extraction.jobs.page_job import PageTask
from docduck.extraction.model_options import model_options
from docduck.service.core.installation import Installation
from docduck.service.processing.processing import process_queue
from docduck.settings import settings
from docduck.workers.pool import WorkerPool
from tests.cli.conftest import Docduck
from tests.made_plugins import MakePlugin, make_plugin

__all__ = ["make_plugin"]

FIELDS = [
    {"name": "Invoice Number", "type": "text", "required": True},
    {"name": "Total", "type": "currency"},
    {"name": "Items", "type": "table", "columns": [{"name": "Description"}, {"name": "Amount"}]},
]
LETTER = "Invoice Number: A-17\nTotal: 12.50 EUR\n"


@pytest.fixture
def fields(tmp_path: Path) -> Path:
    path = tmp_path / "fields.json"
    path.write_text(json.dumps({"fields": FIELDS}))
    return path


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    path = tmp_path / "Brief [red]Nr. 1.txt"
    path.write_text(LETTER)
    return path


def test_an_empty_installation_says_what_to_do_first(docduck: Docduck, tmp_path: Path) -> None:
    said = docduck("status")
    assert said.code == 0
    assert f"Home: {tmp_path / 'home'}" in said.out
    assert "docduck parsers add --template invoice" in said.out
    assert docduck("documents", "list").out.splitlines()[-1] == "0 of 0"
    assert docduck("parsers", "list", "--json").json == []


def test_a_parser_comes_from_a_template_or_from_fields(docduck: Docduck, fields: Path) -> None:
    said = docduck("parsers", "add", "--template", "receipt")
    assert said.code == 0
    assert said.out.strip().endswith("/inbox/receipts/")
    made = docduck("parsers", "add", "Post", "--fields", fields, "--json")
    assert [field["name"] for field in made.json["fields"]] == ["Invoice Number", "Total", "Items"]
    assert [one["slug"] for one in docduck("parsers", "list", "--json").json] == ["receipts", "post"]
    shown = docduck("parsers", "show", "post").out
    assert "invoice_number" in shown
    assert "- Description" in shown


def test_settings_of_a_parser_are_changed(docduck: Docduck, inst: Installation) -> None:
    docduck("parsers", "add", "--template", "receipt")
    inst.settings.models_file.write_text("hosted: {preset: openai}")
    changes = ("model=hosted", "modelUse=always", "readingLocale.language=de", "retentionDays=30")
    assert docduck("parsers", "set", "receipts", *changes).out == "Changed parser receipts\n"
    settings = docduck("parsers", "show", "receipts", "--json").json["settings"]
    assert (settings["model"], settings["modelUse"], settings["retentionDays"]) == ("hosted", "always", 30)
    assert (settings["readingLocale"]["language"], settings["readingLocale"]["dateOrder"]) == ("de", "auto")
    assert "Language model: hosted" in docduck("parsers", "show", "receipts").out
    changed = docduck("parsers", "set", "receipts", "model=null", "--json").json
    assert changed["settings"]["model"] is None
    for change, told in (
        ("model=large", "model: there is no language model 'large'; there are hosted"),
        ("colour=red", "Unknown property: colour"),
        ("model", "'model' must be SETTING=VALUE, for example model=hosted"),
    ):
        refused = docduck("parsers", "set", "receipts", change)
        assert refused.code == 2 and told in refused.err


def test_a_setting_and_one_within_it_are_not_set_at_once(docduck: Docduck) -> None:
    refused = docduck("parsers", "set", "receipts", "readingLocale=de", "readingLocale.language=de")
    assert refused.code == 2
    assert "'readingLocale.language' is within a setting that is given another value" in " ".join(
        refused.err.split()
    )


def test_a_document_goes_all_the_way(
    docduck: Docduck,
    inst: Installation,
    fields: Path,
    letter: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    docduck("parsers", "add", "Post", "--fields", fields)
    empty = tmp_path / "empty.pdf"
    empty.touch()
    added = docduck("documents", "add", "post", letter, empty, "--json").json
    assert [one["file"] for one in added] == [str(letter), str(empty)]
    sound, broken = (one["id"] for one in added)
    assert docduck("documents", "list", "--status", "queued", "--json").json["pagination"]["total"] == 2

    process_queue(inst)
    listed = docduck("documents", "list", "--sort", "name.asc").out
    assert "failed: File is empty" in listed
    assert sound in listed
    assert "Brief [red]Nr. 1.txt" in listed
    found = docduck("documents", "list", "-q", "brief", "--json").json["data"]
    assert [one["id"] for one in found] == [sound]

    shown = docduck("documents", "show", sound, "--json").json
    assert shown["data"] == {"Invoice Number": "A-17", "Total": 12.5, "Items": []}
    assert shown["metadata"]["field_metadata"]["Invoice Number"]["page"] == 1
    assert shown["history"][0]["actor"] == "cli"
    text = docduck("documents", "show", sound).out
    assert "A-17" in text
    assert "extracted" in text
    assert "File is empty" in docduck("documents", "show", broken).out
    told = docduck("documents", "explain", sound, "Invoice Number").out.splitlines()
    assert told[0] == "Invoice Number: A-17"
    assert "“A-17” is printed on page 1" in told[1]
    assert docduck("documents", "explain", sound, "Total", "--json").json["value"] == 12.5

    status = docduck("status", "--json").json
    assert status["parsers"][0]["documents"] == {"processed": 1, "failed": 1}
    assert [(one["name"], one["error"]) for one in status["failures"]] == [("empty.pdf", "File is empty")]
    assert "File is empty" in docduck("status").out

    rebuilt = docduck("warehouse", "rebuild", "--json").json
    assert rebuilt == {"documents": 2, "path": str(tmp_path / "home" / "analytics.duckdb")}
    rows = docduck("warehouse", "query", "SELECT invoice_number, total FROM post.documents", "--json").json
    assert {"invoice_number": "A-17", "total": 12.5} in rows

    made = docduck("export", "post", "--format", "csv", "--folder", tmp_path / "out", "--json").json
    assert made["documentCount"] == 1
    with Path(made["path"]).open(newline="", encoding="utf-8-sig") as stream:
        assert "A-17" in next(iter(list(csv.reader(stream))[1:]))

    docduck("documents", "correct", sound, "Invoice Number=B-2")
    assert docduck("documents", "reprocess", sound, "--discard-corrections").out == "1 queued\n"
    process_queue(inst)
    shown = docduck("documents", "show", sound, "--json").json
    assert shown["data"]["Invoice Number"] == "A-17"

    assert docduck("documents", "reprocess", sound).out == "1 queued\n"
    again = docduck("documents", "reprocess", sound)
    assert (again.code, again.err) == (2, "Error: Document is already being processed\n")
    monkeypatch.setattr("sys.stdin", StringIO("secret\n"))
    assert docduck("documents", "reprocess", broken, "--password").out == "1 queued\n"
    process_queue(inst)
    assert docduck("documents", "reprocess", "--parser", "post", "--password").code == 2
    everything = docduck("documents", "reprocess", "--parser", "post", "--status", "failed", "--json")
    assert everything.json == {"queued": 1}
    assert docduck("documents", "delete", sound, broken, "--json").json == {"deleted": 2}
    assert docduck("documents", "list", "--json").json["data"] == []


def test_a_long_document_shows_its_progress_and_is_cancelled(
    docduck: Docduck, inst: Installation, fields: Path, letter: Path
) -> None:
    docduck("parsers", "add", "Post", "--fields", fields)
    (added,) = docduck("documents", "add", "post", letter, "--json").json
    with inst.catalog.transaction() as session:
        session.execute(update(Document).values(pages_read=3, pages_to_read=40))
    assert "3 of 40 pages read" in docduck("documents", "show", added["id"]).out
    assert "Long documents" in docduck("status").out
    (long,) = docduck("status", "--json").json["long"]
    assert (long["documentId"], long["target"]) == (added["id"], "post")
    assert (long["pagesRead"], long["pages"]) == (3, 40)
    assert docduck("documents", "cancel", added["id"]).out == "1 cancelled\n"
    assert docduck("status", "--json").json["long"] == []
    again = docduck("documents", "cancel", added["id"])
    assert (again.code, again.err) == (2, "Error: Document is not in progress\n")


def test_extract_prints_one_object_a_line(docduck: Docduck, fields: Path, letter: Path) -> None:
    junk = letter.with_name("junk.bin")
    junk.write_bytes(bytes(range(256)) * 20)
    said = docduck("extract", letter, junk, "--fields", fields, "--json")
    assert said.code == 1
    assert said.err == ""
    found = {Path(one["file"]).name: one for one in map(json.loads, said.out.splitlines())}
    sound, broken = found[letter.name], found["junk.bin"]
    assert list(sound) == list(broken)
    assert set(sound) >= {
        *("file", "data", "field_metadata", "confidence", "contentType", "pageCount", "pages", "warnings")
    }
    assert sound["data"]["Total"] == 12.5
    assert 0 < sound["field_metadata"]["Total"]["confidence"] <= 1
    assert (sound["contentType"], sound["pageCount"], sound["error"]) == ("text/plain", 1, None)
    assert (broken["data"], broken["error"]) == ({}, "Unsupported file type")


@pytest.mark.slow
def test_extract_draws_how_pages_are_read(
    docduck: Docduck, letter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = docduck("extract", letter, "--explain")
    assert (said.code, said.err) == (0, "")
    assert said.out.strip() == f"{letter}, page 1: {letter.stem}-page1.jpg"
    picture = (tmp_path / f"{letter.stem}-page1.jpg").read_bytes()
    assert picture.startswith(b"\xff\xd8") and len(picture) > 5000
    both = docduck("extract", letter, "--explain", "--template", "invoice")
    assert "A-17" in both.out and "The likeliest values" in both.out
    told = docduck("extract", letter, "--explain", "--template", "invoice", "--json").out.splitlines()[-1]
    best = json.loads(told)["explained"]["Invoice Number"][0]
    assert (best["value"], best["page"]) == ("A-17", 1)
    assert 0 < best["probability"] < 1 and best["reasons"][0]["feature"]
    missing = docduck("extract", tmp_path / "none.pdf", "--explain")
    assert (missing.code, "There is no file" in missing.err) == (2, True)


def test_pages_are_explained_as_the_chosen_mode_reads_them(
    docduck: Docduck, letter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks: list[PageTask] = []

    def submit(pool: Any, key: str, task: PageTask, *_: Any) -> None:
        tasks.append(task)
        raise InputError("enough")

    monkeypatch.setattr(WorkerPool, "submit", submit)
    for mode in ("fast", "balanced"):
        assert docduck("extract", letter, "--explain", "--mode", mode).code == 2
    fast, balanced = (task.reading.ocr for task in tasks)
    assert fast != balanced


def test_extract_shows_values_to_people(docduck: Docduck, letter: Path) -> None:
    said = docduck("extract", letter, "--template", "invoice", "--mode", "fast")
    assert said.code == 0
    assert str(letter) in said.out
    assert "A-17" in said.out
    assert "Line Items" in said.out


@pytest.mark.slow
def test_a_file_name_that_is_no_utf_8_is_still_json(docduck: Docduck, fields: Path, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.txt")
    try:
        path.write_text("")
    except OSError:
        pytest.skip("the file system takes UTF-8 alone")
    said = docduck("extract", path, "--fields", fields, "--json")
    assert Path(said.json["file"]).name == path.name


def test_apply_makes_the_pipeline_s_parsers(docduck: Docduck, tmp_path: Path) -> None:
    (tmp_path / "pipeline.yaml").write_text("parsers:\n  - template: invoice\n")
    first = docduck("apply", "--json").json["changes"]
    assert any("invoices" in change for change in first)
    assert docduck("apply", "pipeline.yaml").out.strip() == "nothing to change"
    assert docduck("parsers", "list", "--json").json[0]["slug"] == "invoices"


def write_case(folder: Path, total: float, name: str = "one") -> None:
    """A letter with its truth, below ``cases/mail``."""
    case = folder / "cases" / "mail" / name
    case.mkdir(parents=True, exist_ok=True)
    (case / "letter.txt").write_text(LETTER)
    (case / "schema.json").write_text(json.dumps({"fields": FIELDS}))
    (case / "truth.json").write_text(json.dumps({"Invoice Number": "A-17", "Total": total}))


def test_evaluate_tells_accuracy_by_field(docduck: Docduck, tmp_path: Path) -> None:
    write_case(tmp_path, 13)
    said = docduck("evaluate", tmp_path / "cases", "--predictions", tmp_path / "out", "--jobs", 1)
    assert said.code == 0
    assert "mail: 1 documents, 0 all right, 0 not readable" in said.out
    rows = {line.split("  ")[0]: line.split() for line in said.out.splitlines()}
    assert rows["Invoice Number"][-6:] == ["1", "100.0%", "0", "0", "0", "1.000"]
    assert rows["Total"][-6:] == ["1", "0.0%", "0", "1", "0", "0.000"]
    assert rows["all"][1:3] == ["2", "50.0%"]
    assert json.loads((tmp_path / "out" / "mail" / "one.json").read_text())["Total"] == 12.5


def test_evaluate_fits_to_other_senders(docduck: Docduck, tmp_path: Path) -> None:
    for name in ("north-1", "south-1", "east-1", "west-1"):
        write_case(tmp_path, 12.5, name)
    said = docduck("evaluate", tmp_path / "cases", "--folds", 4, "--jobs", 1)
    assert said.code == 0, said.err
    assert "mail: 4 documents" in said.out
    assert list(docduck("evaluate", tmp_path / "cases", "--folds", 4, "--jobs", 1, "--json").json) == ["mail"]
    both = docduck("evaluate", tmp_path / "cases", "--folds", 4, "--learn", 1)
    assert (both.code, "--folds excludes --learn" in both.err) == (2, True)
    assert "two or more" in docduck("evaluate", tmp_path / "cases", "--folds", 1).err


def test_evaluate_can_learn_from_the_first_documents(docduck: Docduck, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_case(tmp_path, 12.5, name)
    said = docduck("evaluate", tmp_path / "cases", "--learn", 1, "--jobs", 1)
    assert "mail: 1 documents, 1 all right" in said.out
    wrong = docduck("evaluate", tmp_path / "cases", "--learn", 2, "--jobs", 1)
    assert wrong.code == 2
    assert "Suite mail has 2 documents" in wrong.err


def test_an_evaluation_leaves_a_report_that_a_later_one_is_held_against(
    docduck: Docduck, tmp_path: Path
) -> None:
    write_case(tmp_path, 12.5)
    first = docduck("evaluate", tmp_path / "cases", "--report", tmp_path / "first", "--jobs", 1)
    assert f"The report is {tmp_path / 'first' / 'index.html'}" in first.out
    write_case(tmp_path, 13)
    second = docduck("evaluate", tmp_path / "cases", "--against", tmp_path / "first", "--jobs", 1)
    assert "Compared to the earlier run: 0 values better, 1 worse" in second.out
    wrong = docduck("evaluate", tmp_path / "cases", "--against", tmp_path / "cases", "--jobs", 1)
    assert wrong.code != 0
    assert "is not an earlier run" in wrong.err


def test_twin_columns_and_numbers_that_json_lacks_are_kept_apart(docduck: Docduck) -> None:
    docduck("parsers", "add", "--template", "receipt")
    docduck("warehouse", "rebuild")
    sql = "SELECT 1 AS a, 2 AS a, 'nan'::DOUBLE AS b, 1.50::DECIMAL(9,2) AS c, DATE '2024-01-02' AS d"
    assert docduck("warehouse", "query", sql, "--json").json == [
        {"a": 1, "a_1": 2, "b": None, "c": 1.5, "d": "2024-01-02"}
    ]
    limited = docduck("warehouse", "query", "FROM range(5)", "--limit", "2").out.splitlines()
    assert limited == ["range", "    0", "    1", "Only the first 2 rows are shown"]


def test_the_addresses_of_parsers_and_classifiers_are_shown(
    docduck: Docduck, environment: Callable[..., None]
) -> None:
    environment(mail_domain="docs.example.org")
    docduck("parsers", "add", "--template", "invoice")
    docduck("classifiers", "create", "Post", "--rule", "Invoice=invoices")
    for shown in (docduck("parsers", "show", "invoices"), docduck("classifiers", "show", "Post")):
        assert re.search(r"^E-mail: \S+@docs\.example\.org$", shown.out, re.MULTILINE), shown


def names_of(value: Any) -> Iterator[str]:
    """The names in JSON, without those that users give."""
    if isinstance(value, list):
        for one in value:
            yield from names_of(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            yield name
            if name not in ("data", "field_metadata", "documents", "warehouseColumns", "details"):
                yield from names_of(one)


def test_json_is_spelled_as_over_rest(
    docduck: Docduck, inst: Installation, fields: Path, letter: Path
) -> None:
    docduck("parsers", "add", "Post", "--fields", fields)
    (added,) = docduck("documents", "add", "post", letter, "--json").json
    process_queue(inst)
    docduck("folders", "create", "post", "Paid")
    docduck("layouts", "set", "post", "SAP", "--format", "csv")
    docduck("keys", "create", "mine")
    docduck("webhooks", "create", "post", "https://example.org/")
    commands = [
        "parsers list",
        "parsers show post",
        "documents list",
        f"documents show {added['id']}",
        "folders list post",
        "layouts list post",
        "webhooks list post",
        "keys list",
        "teams list",
        "users list",
        "audit",
        "classifiers list",
        "connections list",
        "sources status",
        "status",
        "export post",
    ]
    for command in commands:
        ran = docduck(*command.split(), "--json")
        assert ran.code == 0, (command, ran.err)
        names = set(names_of(ran.json))
        assert {one for one in names if "_" in one} <= {"field_metadata"}, command
    shown = docduck("documents", "show", added["id"], "--json").json
    assert {"createdAt", "contentType", "externalId", "parserId", "metadata"} <= shown.keys()


def test_status_tells_of_a_full_disk(docduck: Docduck, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docduck.service.upkeep.health.LEAST_FREE_BYTES", 2**62)
    assert "Its disk is full" in docduck("status").out
    assert "its disk is full" in docduck("status", "--json").json["problems"][0]


def test_status_and_doctor_tell_of_a_model_that_is_not_asked(
    docduck: Docduck, environment: Callable[..., None]
) -> None:
    environment(model_base_url="http://127.0.0.1:9/v1", model_name="qwen")
    assert docduck("status", "--json").json["problems"] == []
    options = model_options(settings())
    assert options is not None
    CircuitBreaker(options).failed("no answer within 120 s", clock.now(), at_once=True)
    (problem,) = docduck("status", "--json").json["problems"]
    assert problem.startswith(
        "the language model qwen is not asked, documents are read without it: no answer within 120 s, since "
    )
    assert "The language model qwen is not asked" in docduck("status").out
    (finding,) = docduck("doctor", "--json").json["findings"]
    assert (finding["part"], finding["message"]) == ("model", problem)
    CircuitBreaker(options).answered()
    assert docduck("status", "--json").json["problems"] == []


def test_a_home_adopts_the_catalog_of_another(
    docduck: Docduck, environment: Callable[..., None], tmp_path: Path
) -> None:
    environment(catalog_url=f"sqlite:///{tmp_path}/shared.sqlite", lease_seconds=0.001)
    docduck("parsers", "list")
    environment(home=tmp_path / "second")
    refused = docduck("parsers", "list")
    assert refused.code == 2 and "docduck home adopt" in refused.err
    assert docduck("home", "adopt", "--json").json == {"home": f"{tmp_path}/second"}
    assert docduck("parsers", "list").code == 0


def test_status_lists_broken_plugins(docduck: Docduck, make_plugin: MakePlugin) -> None:
    assert docduck("status", "--json").json["problems"] == []
    make_plugin("exports", "ledger", "import not_there")
    problem = (
        "The plugin ledger (exports) of the package made-plugin 1.0 can't be loaded: "
        "ModuleNotFoundError: No module named 'not_there'"
    )
    assert docduck("status", "--json").json["problems"] == [problem]
    assert problem in " ".join(docduck("status").out.split())
