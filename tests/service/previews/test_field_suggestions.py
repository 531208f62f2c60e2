from __future__ import annotations

import pytest

from docduck.errors import InputError, NotFound
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.documents.new_documents import upload
from docduck.service.parsers.parsers import ParserChanges, update_parser
from docduck.service.previews.field_suggestions import FieldSuggestions
from tests.conftest import MakeInstallation
from tests.service.core.documents import make_parser

SAMPLE = b"Invoice Number: A-17\nInvoice Date: 2024-03-05\nTotal: 119.00 EUR\n"


def test_fields_are_found_on_a_document_of_the_parser_only(inst: Installation) -> None:
    parser, other = make_parser(inst), make_parser(inst, "Other")
    document = upload(inst, inst.team_id, parser.slug, SAMPLE, "a.txt")
    suggestions = FieldSuggestions(inst)
    found = suggestions.from_document(inst.team_id, parser.id, document)
    assert {"Invoice Number", "Invoice Date"} <= {one.name for one in found}
    with pytest.raises(InputError, match=r"^Parser ID mismatch$"):
        suggestions.from_document(inst.team_id, other.id, document)
    for team_id, parser_id, document_id in (
        (new_id(), parser.id, document),
        (inst.team_id, parser.id, new_id()),
        (inst.team_id, new_id(), document),
    ):
        with pytest.raises(NotFound):
            suggestions.from_document(team_id, parser_id, document_id)


def test_a_sample_is_read_as_the_parser_reads(inst: Installation) -> None:
    parser = make_parser(inst)
    sample = inst.files.put_bytes(SAMPLE).sha256
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"parsePages": "7"}))
    with pytest.raises(InputError, match=r"^a.txt: No pages match parsePages$"):
        FieldSuggestions(inst).from_file(inst.team_id, parser.id, sample, "a.txt")


def test_a_sample_may_take_so_long(make_installation: MakeInstallation) -> None:
    inst = make_installation(suggest_seconds=0.001)
    sample = inst.files.put_bytes(SAMPLE * 2000).sha256
    with pytest.raises(InputError, match=r"^a.txt: Timed out while processing document$"):
        FieldSuggestions(inst).from_file(inst.team_id, make_parser(inst).id, sample, "a.txt")
