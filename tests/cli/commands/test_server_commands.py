"""``docduck --server URL``: the same commands, the same words and exit codes, through the API."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import Docduck, Ran
from tests.client.conftest import Reply, Server
from tests.exports.cells import read_cell
from tests.server.served import Api
from tests.service.outputs.world import expected, make_world
from tests.waiting import wait_for

NOWHERE = "01890000-0000-7000-8000-000000000000"


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that answers as it is told."""
    server = Server()
    yield server
    server.close()


@pytest.fixture
def remote(docduck: Docduck, api: Api, monkeypatch: pytest.MonkeyPatch) -> Docduck:
    """Runs ``docduck --server`` with a key to it."""
    monkeypatch.delenv("DOCDUCK_SERVER", raising=False)
    monkeypatch.setenv("DOCDUCK_KEY", api.key)
    return lambda *arguments: docduck("--server", api.address, *arguments)


def told(said: Ran, *words: str, code: int = 2) -> None:
    assert (said.code, said.out) == (code, ""), said
    assert said.err.startswith(("Error: ", '{"error": true')) and said.err.count("\n") == 1
    for word in words:
        assert word in said.err


@pytest.mark.slow
def test_a_server_is_worked_with_as_this_machine_is(
    docduck: Docduck, remote: Docduck, api: Api, tmp_path: Path
) -> None:
    fields = tmp_path / "fields.json"
    columns = [{"name": "Description"}, {"name": "Amount", "type": "currency"}]
    table = {"name": "Line Items", "type": "table", "columns": columns}
    number, total = {"name": "Number", "required": True}, {"name": "Total", "type": "currency"}
    fields.write_text(json.dumps([number, total, table]))
    said = remote("parsers", "add", "Bills", "--fields", fields)
    assert said.out == "Created parser bills; docduck documents add bills FILE… uploads documents\n"
    assert remote("parsers", "add", "--template", "invoice", "--json").json["slug"] == "invoices"
    assert remote("parsers", "list").out == docduck("parsers", "list").out
    shown, same = [run("parsers", "show", "Bills", "--json").json for run in (remote, docduck)]
    assert shown["fields"] == same["fields"]
    assert shown.keys() == same.keys()
    assert "Line Items" in remote("parsers", "show", "bills").out

    codes = tmp_path / "codes.csv"
    codes.write_text("code,label\nA,Alpha\n")
    made_there: Sequence[Sequence[object]] = (
        ("parsers", "lookup-table", "bills", "codes", codes),
        ("folders", "create", "bills", "Paid"),
        ("layouts", "set", "bills", "SAP", "-f", "csv", "--column", "Number=Beleg"),
        ("webhooks", "create", "bills", "https://example.org/"),
        ("classifiers", "create", "Mail", "--rule", "Bill=bills"),
        ("parsers", "upload-page", "bills", "--title", "Your bills"),
        ("classifiers", "upload-page", "Mail", "--title", "Your mail"),
    )
    for words in made_there:
        assert remote(*words).code == 0, words
    steps = tmp_path / "steps.json"
    steps.write_text('{"steps": [{"type": "transform", "field": "Number", "transform": "trim"}]}')
    alike: Sequence[Sequence[object]] = (
        ("parsers", "post-processing", "bills", "--set", steps),
        ("parsers", "post-processing", "bills"),
        ("parsers", "lookup-tables", "bills"),
        ("folders", "list", "bills"),
        ("layouts", "show", "bills", "SAP"),
        ("webhooks", "list", "bills"),
        ("review", "stages", "bills"),
        ("classifiers", "show", "Mail"),
        ("classifiers", "documents", "Mail"),
        ("audit", "--resource", shown["id"]),
    )
    for words in alike:
        there, here = [run(*words, "--json").json for run in (remote, docduck)]
        assert there == here, words
    for kind, owner, title in (("parsers", "bills", "Your bills"), ("classifiers", "Mail", "Your mail")):
        assert docduck(kind, "upload-page", owner, "--json").json["title"] == title

    files = []
    for index in range(23):
        files.append(tmp_path / f"{index:02}.txt")
        files[-1].write_text(f"INVOICE\nNumber: A-{index}\nTotal: {index}.50\n")
    made = remote("documents", "add", "bills", *files, "--json").json
    assert [one["file"] for one in made] == [str(path) for path in files]
    first = made[0]["id"]
    remote("documents", "add", "invoices", files[0])
    api.process(*[one["id"] for one in remote("parsers", "list", "--json").json])

    for arguments in (
        ["--parser", "bills", "--sort", "name.asc", "--limit", "5"],
        ["--sort", "name.desc", "--page", "2", "--limit", "9"],
        ["--sort", "updatedAt.asc", "--query", "1"],
        ["--status", "failed"],
    ):
        here, there = [run("documents", "list", "--json", *arguments).json for run in (docduck, remote)]
        assert [one["id"] for one in there["data"]] == [one["id"] for one in here["data"]]
        assert there["data"] == [] or there["data"][0].keys() == here["data"][0].keys()
        after = [pagination.pop("nextCursor") for pagination in (there["pagination"], here["pagination"])]
        assert (after[0] is None) == (after[1] is None)
        assert {**there, "data": []} == {**here, "data": []}
    assert remote("documents", "list").out.splitlines()[-1] == "24 of 24"
    assert remote("documents", "show", first).out == docduck("documents", "show", first).out

    corrected = remote("documents", "correct", first, "Total=12.5", "Number=B-1", "--json").json
    assert (corrected["data"]["Total"], corrected["data"]["Number"]) == (12.5, "B-1")
    there = remote("documents", "show", first, "--json").json
    here = docduck("documents", "show", first, "--json").json
    for shown in (there, here):
        for links in (shown, shown["metadata"]):
            # They are signed for the address that was asked.
            links.update(dict.fromkeys(("url", "thumbnail", "markdownUrl") & links.keys()))
    assert there == here
    assert here["metadata"]["source"] == "api"

    assert remote("documents", "file", "bills", "paid", first).out == "1 filed in Paid\n"
    remote("documents", "correct", made[2]["id"], 'Number="2.50"')
    confirmed = remote("documents", "confirm", first, "--json").json
    assert confirmed["data"] == corrected["data"]
    assert confirmed["history"][-1]["event"] == "confirmed"
    wait_for(lambda: docduck("lessons", "list", "bills", "--json").json)
    taught, same_lessons = [run("lessons", "list", "bills", "--json").json for run in (remote, docduck)]
    assert taught == same_lessons and taught
    assert remote("lessons", "list", "bills").out == docduck("lessons", "list", "bills").out
    lesson = taught[0]["id"]
    assert remote("lessons", "remove", "bills", lesson).out == f"Removed {lesson}\n"
    told(docduck("lessons", "remove", "bills", lesson), "Lesson not found")

    assert remote("documents", "reprocess", first, made[1]["id"], "--json").json == {"queued": 2}
    told(remote("documents", "reprocess", first), "Document is already being processed")
    said = remote("documents", "reprocess", "--parser", "bills", "--status", "processed", "--json")
    assert said.json == {"queued": 21}
    other = docduck("documents", "list", "--parser", "invoices", "--json").json["data"][0]["id"]
    assert remote("documents", "delete", first, other, first).out == "2 deleted\n"
    assert docduck("documents", "list", "--json").json["pagination"]["total"] == 22


def test_exports_of_a_server_are_files_here(
    docduck: Docduck, remote: Docduck, api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = make_world(api.inst)[1]
    monkeypatch.chdir(tmp_path)
    for format, scope, options in (("csv", None, []), ("xlsx", "table", ["--table", "Line Items"])):
        made = remote("export", "bills", "--format", format, *options, "--json").json
        here = docduck("export", "bills", "--format", format, *options, "--json").json
        local = {"path", "uri", "fileName"}
        assert {key: made[key] for key in made.keys() - local} == {
            key: here[key] for key in here.keys() - local
        }
        assert Path(made["path"]).parent == tmp_path
        assert read_cell(format, scope, Path(made["path"]).read_bytes()) == expected(format, scope, ids)
    for name in ("daily {date}.json", "daily {date}.json"):
        made = remote(
            "export", "bills", "--id", ids[1], "--folder", "out", "--file", name[:-5], "--json"
        ).json
    assert re.fullmatch(r"daily \d{8}-2\.json", made["fileName"])
    remote("export", "bills", "--filter", "Total >= 100", "--folder", "out", "--file", "latest {format}")
    assert [one["document"]["id"] for one in json.loads(Path("out/latest json.json").read_bytes())] == ids[:1]
    new = ("export", "bills", "--only-new", "nightly", "--folder", "out", "--json")
    assert remote(*new).json["documentCount"] == len(ids)
    assert (remote(*new).json["documentCount"], remote(*new).json["path"]) == (0, None)
    told(remote(*new, "--file", "latest"), "needs {date} or {time} in its name")
    told(remote("export", "bills", "--layout", "SAP"), "Export layout not found: SAP")
    told(remote("export", "bills", "--filter", "Colour = red", "--folder", "none"), "Colour")
    told(remote("export", "bills", "--file", "../x"), "A file name must not")
    told(remote("export", "bills", "--folder", "/proc/none"), "Can't write to /proc/none")
    assert not list(Path("none").iterdir())


WRONG: Sequence[tuple[str, list[str]]] = (
    ("parsers show nope", ["Parser not found: nope (docduck parsers list shows all)"]),
    (f"parsers show {NOWHERE}", [f"Parser not found: {NOWHERE}"]),
    ("parsers add X --fields none.json", ["none.json: No such file"]),
    ("parsers forget bills", ["only where docduck runs"]),
    ("documents list --parser nope", ["Parser not found: nope"]),
    ("documents show nope", ["Document not found: nope (docduck documents list shows all)"]),
    (f"documents show {NOWHERE}", [f"Document not found: {NOWHERE}"]),
    (f"documents correct {NOWHERE} A=1", ["Document not found"]),
    (f"documents reprocess {NOWHERE}", ["Document not found"]),
    ("documents reprocess --parser bills --status queued", ["'queued' can't be processed again"]),
    (f"documents delete {NOWHERE}", ["Document not found"]),
    ("documents add bills none.pdf", ["none.pdf: No such file"]),
    ("status", ["docduck status works only where docduck runs"]),
    ("up", ["docduck up works only where docduck runs"]),
    ("warehouse query SELECT", ["docduck warehouse works only where docduck runs", "DOCDUCK_SERVER"]),
)


def test_wrong_input_is_told_as_on_this_machine(remote: Docduck, api: Api, tmp_path: Path) -> None:
    parser_id = api.parser("Bills")
    for arguments, words in WRONG:
        told(remote(*arguments.split()), *words)
    document_id = api.upload(parser_id)
    api.process(parser_id)
    told(remote("documents", "correct", document_id, "Colour=red"), "Colour")
    program = tmp_path / "program.bin"
    program.write_bytes(bytes(range(256)) * 20)
    told(remote("documents", "add", "bills", program), "Unsupported file type")


def test_errors_are_json_with_json(docduck: Docduck, remote: Docduck, api: Api) -> None:
    document_id = api.upload(api.parser("Bills"))
    for arguments, code, words in (
        (("documents", "show", document_id, "--json", "--colour"), "invalid_request", "--colour"),
        (("parsers", "show", "nobody", "--json"), "not_found", "Parser not found: nobody"),
        (("documents", "cancel", document_id, "--json"), "", ""),
        (("documents", "cancel", document_id, "--json"), "not_in_progress", "Document is not in progress"),
    ):
        ran = remote(*arguments)
        if code:
            assert (ran.code, ran.out) == (2, ""), ran
            said = json.loads(ran.err)
            assert (said["error"], said["code"]) == (True, code)
            assert words in said["message"]


def test_a_key_that_can_t_be_used_is_told_and_never_shown(
    docduck: Docduck, remote: Docduck, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCDUCK_KEY", "docduck_" + "x" * 43)
    told(remote("parsers", "list"), "Invalid API key", api.address)
    assert "xxx" not in remote("parsers", "list").err
    monkeypatch.delenv("DOCDUCK_KEY")
    told(remote("parsers", "list"), "DOCDUCK_KEY is not set", api.address)
    told(docduck("--server", api.address, "--key-env", "MY_KEY", "parsers", "list"), "MY_KEY is not set")
    monkeypatch.setenv("MY_KEY", api.key)
    assert docduck("--server", api.address, "--key-env", "MY_KEY", "parsers", "list").code == 0
    monkeypatch.setenv("MY_KEY", api.key_with(["documents:read"]))
    told(docduck("--server", api.address, "--key-env", "MY_KEY", "parsers", "list"), "Access denied")
    monkeypatch.setenv("MY_KEY", api.key)
    told(
        docduck("--server", "nonsense", "--key-env", "MY_KEY", "parsers", "list"), "https://docs.example.org"
    )


def test_the_server_may_stand_in_the_environment(
    docduck: Docduck, api: Api, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCDUCK_SERVER", api.address)
    monkeypatch.setenv("DOCDUCK_KEY", api.key)
    api.parser("Bills")
    said = docduck("parsers", "list")
    assert (said.code, said.err) == (0, "")
    assert "bills" in said.out
    told(docduck("keys", "list"), "docduck keys works only where docduck runs", "unset DOCDUCK_SERVER")
    (tmp_path / "a.txt").write_text("Invoice number: 17\nTotal: 12.50\n")
    assert docduck("suggest", "a.txt", "--json").code == 0
    monkeypatch.delenv("DOCDUCK_SERVER")
    assert docduck("keys", "list").code == 0


@pytest.mark.parametrize("status", [None, 503])
def test_what_passes_ends_with_the_code_for_trying_again(
    docduck: Docduck, server: Server, monkeypatch: pytest.MonkeyPatch, status: int | None
) -> None:
    monkeypatch.setattr("docduck.client.sync.time.sleep", lambda seconds: None)
    monkeypatch.setenv("DOCDUCK_KEY", "k")
    server.answer(Reply(status or 200, {"message": "Not now"}, hang_up=status is None))
    said = docduck("--server", server.address, "parsers", "list")
    told(said, "Trying again may help.", code=75)
    assert len(server.seen) == 4
    server.answer(Reply(500, {"message": "Internal\x1b[2J server error", "requestId": "r-1"}))
    told(docduck("--server", server.address, "parsers", "list"), "Internal [2J server error", "r-1", code=1)
