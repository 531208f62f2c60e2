"""The benchmarks themselves: what they measure with, and that they still run."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest
from rich.console import Console

from docduck import templates
from docduck.service.conditions import DocumentFacts, all_hold
from tests.benchmarks import reading, rules, scaling
from tests.benchmarks.documents import invoice, write_documents
from tests.benchmarks.figures import Figure, show
from tests.benchmarks.pipeline import pipeline
from tests.benchmarks.processes import memory_of, role_of
from tests.documents.formats.scaled import SCALED


def test_every_document_is_one_page_of_its_own(tmp_path: Path) -> None:
    texts = set()
    for path in write_documents(tmp_path / "documents", 15, first=3):
        with pypdfium2.PdfDocument(path) as document:
            assert len(document) == 1
            page = document[0]
            text_page = page.get_textpage()
            texts.add(text_page.get_text_range())
            text_page.close()
            page.close()
    assert len(texts) == 15
    assert invoice(3) == (tmp_path / "documents" / "invoice-00003.pdf").read_bytes()


def test_a_limit_is_broken_on_its_wrong_side_only() -> None:
    assert Figure("a", 2, "s", limit=2).passes
    assert not Figure("a", 2.1, "s", limit=2).passes
    assert Figure("a", 2.1, "files/s", limit=2, better="more").passes
    assert not Figure("a", 1.9, "files/s", limit=2, better="more").passes
    assert Figure("a", 9, "s").passes


def test_the_table_tells_figure_limit_and_mark() -> None:
    console = Console(file=io.StringIO(), width=100)
    show(console, "title", [Figure("idle", 950, "MB", limit=900), Figure("ready", 7.5, "s", limit=20)])
    assert isinstance(console.file, io.StringIO)
    idle, ready = [line for line in console.file.getvalue().splitlines() if "≤" in line]
    assert "950 MB" in idle and "900 MB" in idle and "FAIL" in idle
    assert "7.5 s" in ready and "20 s" in ready and "pass" in ready


def test_processes_are_known_by_their_command() -> None:
    assert role_of("python -c from docduck.workers.fork_program import main; main() 5 8") == "workers"
    assert role_of("python -m dagster api grpc --socket x") == "definitions"
    assert role_of("python -m dagster._daemon run") == "daemon"
    assert role_of("bash") == "other"


def test_memory_adds_up_by_role(tmp_path: Path) -> None:
    import os

    memory = memory_of(os.getpid())
    assert 0 < memory.pss <= memory.rss
    assert sum(memory.roles.values()) == memory.pss


@pytest.mark.extended
def test_the_pipeline_can_be_measured(tmp_path: Path) -> None:
    figures = {figure.name.strip(): figure for figure in pipeline(tmp_path, 20)}
    assert figures["intake"].value > 0
    assert figures["processor: catalog write"].value > 0
    assert figures["processor: drain"].value >= figures["processor: warehouse"].value > 0
    assert figures["warehouse rebuild"].value > 0


@pytest.mark.extended
def test_reading_can_be_measured_without_the_peers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = write_documents(tmp_path / "documents", 10)
    fields = list(templates.load("invoice").fields)
    (digital,) = reading.digital(files, fields)
    assert digital.unit == "pages/s"
    assert digital.value > 1
    (growth,) = reading.flat(files, fields)
    assert "over 10 documents" in growth.note


@pytest.mark.slow
def test_scaling_can_be_measured() -> None:
    total, ratio = scaling.figures("csv, rows", replace(SCALED["csv, rows"], full=400))
    assert total.unit == "s" and total.value > 0 and "MB" in total.note
    assert ratio.value > 0


@pytest.mark.slow
def test_a_file_that_is_refused_is_measured() -> None:
    cost = scaling.cost(SCALED["text, form feeds"], 3000)
    assert "pages" in cost.ended and cost.seconds > 0


def test_the_measured_rules_hold_in_the_last_row_only() -> None:
    facts = rules._facts()
    conditions = [rules._condition(*one) for one in rules.MIXED]
    assert len(rules.MIXED) == len(rules.COSTLY) == 20
    assert all_hold(conditions, facts)
    without = {**facts.values, "t": facts.values["t"][:-1]}
    facts = DocumentFacts(without, facts.evidence)
    assert not any(all_hold([one], facts) for one in conditions[8:])
