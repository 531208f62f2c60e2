"""What a program does by the generated Python client: ``python program.py ADDRESS KEY``."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any

from docduck_api import AuthenticatedClient
from docduck_api.api.documents import (
    documents_delete,
    documents_delete_many,
    documents_get,
    documents_search,
    documents_update,
    documents_update_data,
)
from docduck_api.api.fields import fields_put, fields_update
from docduck_api.api.folders import folders_create
from docduck_api.api.parsers import parsers_create, parsers_get, parsers_update
from docduck_api.api.processing import process_data, process_files
from docduck_api.api.reviews import review_stages_create
from docduck_api.api.webhooks import webhooks_create, webhooks_update
from docduck_api.models import (
    ColumnInput,
    ColumnInputType,
    DocumentsNamed,
    DocumentUpdate,
    ErrorResponse,
    FieldInput,
    FieldInputType,
    FieldsInput,
    NewFolder,
    NewFolderAutoAssignmentType0,
    NewParser,
    NewStage,
    NewWebhook,
    ParserUpdate,
    ProcessFilesBody,
    SearchBody,
    TeamDocuments,
    ValuesUpdate,
    ValuesUpdateData,
    WebhookUpdate,
)
from docduck_api.types import File

address, key = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=key, timeout=60)


def sent(operation: Any, *ids: str, **more: Any) -> Any:
    """The parsed answer of an operation that succeeds."""
    answer = operation.sync_detailed(*ids, client=client, **more)
    assert answer.status_code < 300, answer.content
    return answer.parsed


def refused(operation: Any, *ids: str, **more: Any) -> tuple[int, str]:
    """The status and code of an operation that fails."""
    answer = operation.sync_detailed(*ids, client=client, **more)
    assert isinstance(answer.parsed, ErrorResponse), answer.content
    return int(answer.status_code), str(answer.parsed.code)


def upload(external_ids: str, *numbers: str) -> ProcessFilesBody:
    """A body with a file for each number of an invoice."""
    files = [
        File(BytesIO(f"Number: {number}\nTotal: 12.50\n".encode()), f"{number}.txt", "text/plain")
        for number in numbers
    ]
    return ProcessFilesBody(file=files, external_ids=external_ids)


amount = ColumnInput(name="Amount", type_=ColumnInputType.CURRENCY)
fields = [
    FieldInput(name="Number"),
    FieldInput(name="Total", type_=FieldInputType.CURRENCY, required=True),
    FieldInput(name="Line Items", type_=FieldInputType.TABLE, columns=[ColumnInput(name="Text"), amount]),
]
parser = sent(parsers_create, body=NewParser(name="Bills", fields=fields))
assert sent(parsers_get, "bills").id == parser.id
template = sent(parsers_create, body=NewParser(name="Receipts", template_key="receipt"))
assert len(template.fields) > 3

# What isn't sent of a field stays.
changed = sent(fields_update, "bills", "Total", body=FieldInput(description="What is to be paid"))
total = changed.fields[1]
assert (total.type_, total.required, total.description) == ("currency", True, "What is to be paid")
changed = sent(fields_put, "bills", body=FieldsInput(fields=[FieldInput(id=total.id, required=False)]))
total = changed.fields[1]
assert (total.type_, total.required, total.name) == ("currency", False, "Total")
assert [column.type_ for column in changed.fields[2].columns] == ["text", "currency"]

found = sent(process_files, "bills", body=upload('["E1", null]', "A-1", "A-2"), wait=60)
first, second = found.result
assert (first.external_id, second.external_id) == ("E1", None)
assert first.data.to_dict()["Number"] == "A-1", first
assert sent(process_data, "bills", external_id="E1").data.to_dict()["Total"] == 12.5

# What isn't sent of a document stays, too.
document = sent(documents_update, "bills", second.document_id, body=DocumentUpdate(external_id="E2"))
assert (document.name, document.external_id) == ("A-2.txt", "E2")
values = ValuesUpdateData.from_dict({"Total": 119})
sent(documents_update_data, "bills", second.document_id, body=ValuesUpdate(data=values))
document = sent(documents_get, "bills", second.document_id)
assert document.data["Total"] == 119
assert sent(documents_search, "bills", body=SearchBody(q="A-2")).pagination.total == 1

rules = NewFolderAutoAssignmentType0.from_dict(
    {"rules": [{"field": "Total", "condition": "extracted_value", "operator": "greater_than", "value": 100}]}
)
folder = sent(folders_create, "bills", body=NewFolder(name="Large", auto_assignment=rules))
assert folder.has_auto_assign
for position, name in enumerate(("First", "Second"), 1):
    assert sent(review_stages_create, "bills", body=NewStage(name=name)).position == position

hook = sent(webhooks_create, "bills", body=NewWebhook(url="https://hooks.invalid/", name="ERP"))
assert hook.secret.startswith("whsec_")
paused = sent(webhooks_update, "bills", hook.id, body=WebhookUpdate(is_active=False))
assert paused.status == "paused"
described = sent(webhooks_update, "bills", hook.id, body=WebhookUpdate(description="x"))
assert (described.status, described.name, described.description) == ("paused", "ERP", "x")
assert described.events == hook.events

nobody = "0192f0c1-2b4e-7c3a-9d5e-6f7a8b9c0d1e"
assert refused(parsers_get, nobody) == (404, "not_found")
assert refused(parsers_get, "no bills") == (400, "invalid_id")
assert refused(process_files, "bills", body=upload('["E1"]', "A-1")) == (400, "external_id_exists")
sent(parsers_update, "bills", body=ParserUpdate(is_active=False))
assert refused(process_files, "bills", body=upload("[null]", "A-1")) == (400, "parser_inactive")
assert sent(parsers_get, "bills").name == "Bills"
strangers = AuthenticatedClient(base_url=address, token="docduck_no")
refusal = parsers_get.sync(parser.id, client=strangers)
assert isinstance(refusal, ErrorResponse) and refusal.code == "invalid_key"

assert sent(documents_delete, "bills", body=DocumentsNamed(external_ids=["E1"])).deleted == 1
assert sent(documents_delete_many, body=TeamDocuments(document_ids=[second.document_id])).deleted == 1
