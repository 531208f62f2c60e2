from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from docduck.errors import InputError
from docduck.fields import FieldType
from docduck.service.pipeline.pipeline_spec import Pipeline, load_pipeline
from docduck.service.pipeline.source_specs import FolderSpec

WHOLE = """
parsers:
  - template: invoice
    slug: invoices
  - name: Delivery notes
    slug: delivery_notes
    description: What came
    settings: {dataExtractionMode: balanced}
    fields:
      - {name: Number, type: text, required: true}
      - name: Lines
        type: table
        columns: [{name: Article}, {name: Quantity, type: number, was: Amount}]
sources:
  - name: scanner
    folder: scans
    parser: invoices
    pattern: "*.pdf"
    after: move
    recursive: false
    move_to: /srv/done
exports:
  - name: nightly
    parser: invoices
    format: xlsx
    scope: all_sheets
    table: Line Items
    folder: out/
    schedule: "0 2 * * *"
  - name: always
    parser: delivery_notes
    format: csv
    after: each run
"""


A = "parsers:\n- name: A\n"


def load(tmp_path: Path, text: str) -> Pipeline:
    file = tmp_path / "pipeline.yaml"
    file.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    return load_pipeline(file)


def problems(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        load(tmp_path, text)
    return caught.value.message.splitlines()


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    pipeline = load(tmp_path, WHOLE)
    invoices, notes = pipeline.parsers
    assert (invoices.key, invoices.template) == ("invoices", "invoice")
    assert (notes.key, notes.name) == ("delivery_notes", "Delivery notes")
    assert notes.fields is not None and notes.fields[1].type is FieldType.TABLE
    assert notes.fields[1].columns[1].was == "Amount"
    (scanner,) = pipeline.sources
    assert isinstance(scanner, FolderSpec)
    assert (scanner.folder, scanner.move_to) == (tmp_path / "scans", Path("/srv/done"))
    assert (scanner.after, scanner.recursive, scanner.pattern) == ("move", False, "*.pdf")
    nightly, always = pipeline.exports
    assert (nightly.schedule, nightly.after_each_run) == ("0 2 * * *", False)
    assert nightly.folder == tmp_path / "out"
    assert (always.schedule, always.after_each_run, always.folder) == (None, True, None)
    for text in ("", "# nothing yet\n", "parsers:\nsources: []\n"):
        empty = load(tmp_path, text)
        assert (empty.parsers, empty.sources, empty.exports) == ((), (), ())


def test_every_error_is_told_at_once_with_line_and_key(tmp_path: Path) -> None:
    text = """
    parsers:
      - name: Notes
        slug: Notes!
        fields:
          - {name: Kind, type: choice}
          - {name: Number, type: txt}
          - name: Lines
            type: table
            columns:
              - {name: A, typ: text}
      - template: invoyce
      - description: nameless
    sources:
      - name: a
        folder: x
        parser: notes
        after: remove
      - folder: y
        parser: notes
        recursiv: false
        recursive: maybe
    exports:
      - {name: e, parser: notes, format: xls, schedule: "61 * * * *"}
      - {name: f, parser: notes, format: csv}
    sorces: []
    """
    found = problems(tmp_path, text)
    expected = [
        "pipeline.yaml:5: parsers[0].fields[0]: field 'Kind' is a choice and needs options",
        "pipeline.yaml:6: parsers[0].fields[1].type: must be text, number, date, boolean, currency, choice,"
        " list or table",
        "pipeline.yaml:10: parsers[0].fields[2].columns[0].typ: unknown key; did you mean type?",
        "pipeline.yaml:11: parsers[1].template: there is no 'invoyce'; known are acord_25,",
        "pipeline.yaml:12: parsers[2]: needs a name or a template",
        "pipeline.yaml:17: sources[0].after: must be keep, move or delete",
        "pipeline.yaml:18: sources[1].name: is missing",
        "pipeline.yaml:20: sources[1].recursiv: unknown key; did you mean recursive?",
        "pipeline.yaml:21: sources[1].recursive: must be true or false",
        "pipeline.yaml:23: exports[0].format: must be json, xml, csv, xlsx or parquet",
        "pipeline.yaml:23: exports[0].schedule: minute: '61' is not between 0 and 59",
        'pipeline.yaml:24: exports[1]: needs either schedule, a cron line, or "after: each run"',
        "pipeline.yaml:25: sorces: unknown key; did you mean sources?",
    ]
    assert len(found) == len(expected)
    for line, beginning in zip(found, expected, strict=True):
        assert line.startswith(beginning), line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("parsers:\n- {name: A}\n- {name: a}\n", "3: parsers[1].slug: 'a' is that of parsers[0] already"),
        (
            "sources:\n- {name: A, folder: x, parser: p}\n- {name: a, folder: y, parser: p}\n",
            "3: sources[1].name: 'a' is that of sources[0] already",
        ),
        ("sources:\n- {name: Inbox, folder: x, parser: p}\n", "2: sources[0].name: 'Inbox' is the inbox's"),
        ("sources:\n- {name: a, name: b, folder: x, parser: p}\n", "2: sources[0].name: is given twice"),
        (f"{A}  settings:\n    dataExtractionMode: slow\n", "4: parsers[0].settings.dataExtractionMode: "),
        (
            f"{A}  fields:\n  - {{name: X}}\n  - {{name: x}}\n",
            "5: parsers[0].fields[1].name: 'x' is also the name of fields[0]",
        ),
        (f"{A}  fields:\n  - {{name: X, position: 1}}\n", "4: parsers[0].fields[0]: leave out"),
        (
            f"{A}  layouts:\n  - {{name: L, format: csv}}\n  - {{name: ' L', format: xml}}\n",
            "5: parsers[0].layouts[1].name: ' L' is also the name of layouts[0]",
        ),
        ("parsers:\n- name: 2024\n", "2: parsers[0].name: must be text; put it in quotes"),
        ("parsers:\n- name: 2024-99-99\n", "2: parsers[0].name: '2024-99-99' can't be read; put it in"),
        ("parsers:\n- A\n", "2: parsers[0]: must be keys with values"),
        ("parsers: {name: A}\n", "1: parsers: must be a list"),
        ("parsers:\n- name: Main\n", "2: parsers[0].slug: 'main' can't be the name"),
        ("- a\n", "1: must have the keys parsers, classifiers, sources and exports"),
        ("parsers:\n  - name: [\n", "3: is not valid YAML"),
        ("a: &a [*a]\n", "1: has too many or endless aliases"),
    ],
)
def test_each_error_names_its_place(tmp_path: Path, text: str, line: str) -> None:
    found = problems(tmp_path, text)
    assert any(problem.startswith(f"pipeline.yaml:{line}") for problem in found), found


def test_aliases_that_multiply_end(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    assert "too many" in problems(tmp_path, "\n".join(lines))[0]


def test_a_file_that_cant_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        load_pipeline(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes("parsers: [{name: Müller}]".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8"):
        load_pipeline(tmp_path / "latin.yaml")
    (tmp_path / "control.yaml").write_bytes(b"a: \x01")
    with pytest.raises(InputError, match="not valid YAML"):
        load_pipeline(tmp_path / "control.yaml")


def test_nothing_but_data_is_read(tmp_path: Path) -> None:
    found = problems(tmp_path, "parsers:\n- name: !!python/object/apply:os.getcwd []\n")
    assert found[0].startswith("pipeline.yaml:2: parsers[0].name:")


def test_secrets_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCANS", "/srv/scans")
    monkeypatch.delenv("ABSENT", raising=False)
    text = "sources:\n- {name: a, folder: '${SCANS}/in', parser: p, pattern: '$${x}*'}\n"
    (source,) = load(tmp_path, text).sources
    assert isinstance(source, FolderSpec)
    assert (source.folder, source.pattern) == (Path("/srv/scans/in"), "${x}*")
    text = "sources:\n- name: a\n  folder: ${ABSENT}\n  parser: p\n"
    words = "pipeline.yaml:3: sources[0].folder: the environment variable ABSENT is not set"
    assert problems(tmp_path, text) == [words]


def test_exports_by_layout_of_what_is_new(tmp_path: Path) -> None:
    text = """
    parsers:
    - name: Invoices
      layouts:
      - name: Books
        format: csv
        scope: table
        table: Lines
        columns: [$name, {field: Lines.Amount, header: Sum}]
    exports:
    - name: books
      parser: invoices
      layout: Books
      filters: [{field: Total, operator: ">", value: 100}]
      only_new: true
      file: "{parser}-{date}"
      schedule: "0 2 * * *"
    """
    pipeline = load(tmp_path, text)
    (layout,) = pipeline.parsers[0].layouts
    columns = [(one.field, one.header) for one in layout.columns or ()]
    assert columns == [("$name", None), ("Lines.Amount", "Sum")]
    (export,) = pipeline.exports
    assert (export.format, export.layout) == (None, "Books")
    assert (export.only_new, export.file) == (True, "{parser}-{date}")
    assert export.filters == ({"field": "Total", "operator": ">", "value": 100},)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("format: csv, layout: L", "needs either format or layout"),
        ("file: x", "needs either format or layout"),
        ("format: csv, scope: table", "exports[0]: scope"),
        ("layout: L, scope: all_flat", "leave out scope and table"),
        ("format: csv, only_new: true, file: latest", "only_new needs {date} or {time} in file"),
        ("format: csv, file: '{year}'", "exports[0].file: A file name may have {parser}"),
        ("format: csv, file: a/b", "exports[0].file: A file name must not be blank"),
        ("format: csv, filters: 5", "exports[0].filters: must be a list"),
        ("format: csv, folder: out, bucket: 's3://b'", "2: exports[0]: needs either folder or bucket"),
        ("format: csv, endpoint: 'http://s'", "2: exports[0]: endpoint is for a bucket only"),
        ("format: csv, bucket: 'ftp://b'", "2: exports[0]: bucket must be s3://bucket/prefix"),
    ],
)
def test_what_an_export_can_not_be(tmp_path: Path, keys: str, message: str) -> None:
    text = f"exports:\n- {{name: e, parser: p, after: each run, {keys}}}\n"
    assert message in problems(tmp_path, text)[0]
