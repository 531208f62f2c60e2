"""A team with one of everything, and arguments for every tool."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from docduck.service.corrections.pending_corrections import process_pending
from tests.mcp.served import Agent

TEXT = b"Number: A-1\nTotal: 12.50\n"


@dataclass
class World:
    """What there is; all ids."""

    parser: str
    document: str
    other_document: str
    folder: str
    stage: str
    webhook: str
    delivery: str
    classifier: str
    reviewer: str
    lesson: str


def make_world(agent: Agent) -> World:
    """Make one of everything by the tools, with a document that waits for the agent's review."""
    fields = [{"name": "Number"}, {"name": "Total", "type": "currency"}]
    parser = agent.call("create_parser", name="Bills", fields=fields)["id"]
    document = send(agent, parser, b"Number: B-2\nTotal: 7.00\n", "b.txt")
    agent.api.process()
    stage = agent.call("create_review_stage", parserId=parser, name="Check", reviewerId=agent.user.user_id)
    reviewed = send(agent, parser, TEXT, "a.txt")
    agent.api.process()
    agent.call("update_document_data", parserId=parser, documentId=document, data={"Number": "7.00"})
    process_pending(agent.api.inst)
    webhook = agent.call("create_webhook", parserId=parser, url="https://hooks.example.com/a")["id"]
    resent = agent.api.post(f"/parsers/{parser}/documents/{document}/export", json={})
    assert resent.status_code == 200, resent.text
    (delivery,) = agent.call("list_webhook_deliveries", parserId=parser, webhookId=webhook)["data"]
    rules = [{"label": "Bill", "targetParserId": parser}]
    return World(
        parser=parser,
        document=reviewed,
        other_document=document,
        folder=agent.call("create_folder", parserId=parser, name="2026")["id"],
        stage=stage["id"],
        webhook=webhook,
        delivery=delivery["id"],
        classifier=agent.call("create_classifier", name="Inbox", routing={"rules": rules})["id"],
        reviewer=agent.user.user_id,
        lesson=agent.call("list_lessons", parserId=parser)["data"][0]["id"],
    )


def send(agent: Agent, parser: str, content: bytes, name: str, **more: Any) -> str:
    """Send a file; its document's id."""
    encoded = base64.b64encode(content).decode()
    sent = agent.call("process_file", parserId=parser, fileName=name, contentBase64=encoded, **more)
    return str(sent["result"][0]["documentId"])


_BASE64 = base64.b64encode(TEXT).decode()

ARGUMENTS: Mapping[str, Callable[[World], dict[str, Any]]] = {
    "get_team": lambda w: {},
    "describe_settings": lambda w: {"topic": "parser"},
    "list_parsers": lambda w: {"q": "bill", "limit": 5},
    "get_parser": lambda w: {"parserId": w.parser},
    "create_parser": lambda w: {"name": "More", "templateKey": "invoice"},
    "setup_parser": lambda w: {
        "name": "Sampled",
        "samples": [{"fileName": "a.txt", "contentBase64": _BASE64}],
        "truth": [{"Number": "A-1", "Total": 12.5}],
    },
    "update_parser": lambda w: {
        "parserId": w.parser,
        "settings": {"description": "Bills", "parsePages": "1-3"},
    },
    "duplicate_parser": lambda w: {"parserId": w.parser, "name": "Copy"},
    "suggest_fields": lambda w: {
        "parserId": w.parser,
        "samples": [{"fileName": "a.txt", "contentBase64": _BASE64}],
    },
    "list_fields": lambda w: {"parserId": w.parser},
    "add_field": lambda w: {"parserId": w.parser, "name": "Note", "labels": ["Remark"]},
    "update_field": lambda w: {
        "parserId": w.parser,
        "fieldId": "Number",
        "settings": {"description": "its number"},
    },
    "set_fields": lambda w: {
        "parserId": w.parser,
        "fields": [{"name": "Number", "labels": ["No."]}, {"name": "Due", "type": "date"}],
    },
    "reorder_fields": lambda w: {"parserId": w.parser, "fieldIds": ["Note", "Due", "Total", "Number"]},
    "delete_field": lambda w: {"parserId": w.parser, "fieldId": "Note"},
    "process_urls": lambda w: {"parserId": w.parser, "urls": ["http://127.0.0.1:9/a.pdf"]},
    "process_file": lambda w: {"parserId": w.parser, "fileName": "c.txt", "contentBase64": _BASE64},
    "create_upload_url": lambda w: {"parserId": w.parser, "fileName": "d.txt"},
    "get_document": lambda w: {"parserId": w.parser, "documentId": w.document},
    "get_document_data": lambda w: {"parserId": w.parser, "documentId": w.document},
    "explain_value": lambda w: {"parserId": w.parser, "documentId": w.document, "field": "Number"},
    "wait_for_document": lambda w: {"parserId": w.parser, "documentId": w.document, "waitSeconds": 5},
    "list_documents": lambda w: {"parserId": w.parser, "status": "in_review"},
    "search_documents": lambda w: {
        "parserId": w.parser,
        "filters": [{"field": "Total", "operator": "greater_than", "value": 1}],
    },
    "update_document": lambda w: {"parserId": w.parser, "documentId": w.document, "folderId": w.folder},
    "bulk_update_documents": lambda w: {
        "parserId": w.parser,
        "documentIds": [w.document],
        "custom": {"order": 7},
    },
    "update_document_data": lambda w: {
        "parserId": w.parser,
        "documentId": w.document,
        "data": {"Total": 13},
    },
    "get_document_text": lambda w: {"parserId": w.parser, "documentId": w.document},
    "get_page_image": lambda w: {"parserId": w.parser, "documentId": w.document, "field": "Number"},
    "confirm_document": lambda w: {"parserId": w.parser, "documentId": w.document},
    "review_queue": lambda w: {"parserId": w.parser, "below": 1, "images": True},
    "evaluate_parser": lambda w: {
        "parserId": w.parser,
        "truth": [{"documentId": w.document, "data": {"Total": 12.5}}],
    },
    "list_lessons": lambda w: {"parserId": w.parser},
    "remove_lesson": lambda w: {"parserId": w.parser, "lessonId": w.lesson},
    "list_review_stages": lambda w: {"parserId": w.parser},
    "create_review_stage": lambda w: {"parserId": w.parser, "name": "Second look"},
    "update_review_stage": lambda w: {"parserId": w.parser, "stageId": w.stage, "name": "First look"},
    "list_reviewers": lambda w: {"parserId": w.parser},
    "assign_reviewer": lambda w: {
        "parserId": w.parser,
        "documentId": w.document,
        "assigneeId": w.reviewer,
    },
    "approve_document": lambda w: {"parserId": w.parser, "documentId": w.document},
    "reset_review": lambda w: {"parserId": w.parser, "documentId": w.document},
    "reject_document": lambda w: {"parserId": w.parser, "documentId": w.document, "reason": "no"},
    "reprocess_document": lambda w: {"parserId": w.parser, "documentId": w.other_document},
    "cancel_document": lambda w: {"parserId": w.parser, "documentId": w.other_document},
    "delete_review_stage": lambda w: {"parserId": w.parser, "stageId": w.stage},
    "export_documents": lambda w: {"parserId": w.parser, "format": "csv"},
    "query": lambda w: {},
    "list_folders": lambda w: {"parserId": w.parser},
    "create_folder": lambda w: {"parserId": w.parser, "name": "2027"},
    "update_folder": lambda w: {"parserId": w.parser, "folderId": w.folder, "name": "2025"},
    "delete_folder": lambda w: {"parserId": w.parser, "folderId": w.folder},
    "list_classifiers": lambda w: {},
    "get_classifier": lambda w: {"classifierId": w.classifier},
    "create_classifier": lambda w: {
        "name": "Post",
        "routing": {"rules": [{"label": "Bill", "targetParserId": w.parser}]},
    },
    "update_classifier": lambda w: {"classifierId": w.classifier, "settings": {"description": "all mail"}},
    "list_classifier_documents": lambda w: {"classifierId": w.classifier},
    "delete_classifier": lambda w: {"classifierId": w.classifier},
    "list_models": lambda w: {},
    "list_webhooks": lambda w: {"parserId": w.parser},
    "create_webhook": lambda w: {"parserId": w.parser, "url": "https://hooks.example.com/b"},
    "test_webhook": lambda w: {"parserId": w.parser, "webhookId": w.webhook},
    "list_webhook_deliveries": lambda w: {"parserId": w.parser, "webhookId": w.webhook},
    "list_events": lambda w: {},
    "replay_events": lambda w: {"webhookId": w.webhook, "createdFrom": "2100-01-01"},
    "retry_webhook_delivery": lambda w: {
        "parserId": w.parser,
        "webhookId": w.webhook,
        "deliveryId": w.delivery,
    },
    "get_usage": lambda w: {},
    "delete_webhook": lambda w: {"parserId": w.parser, "webhookId": w.webhook},
    "delete_documents": lambda w: {"parserId": w.parser, "documentIds": [w.other_document]},
}
"""In an order in which each of them succeeds, but for what is said in ``REFUSED``."""

REFUSED = {"process_urls": "URL is not allowed: http://127.0.0.1:9/a.pdf"}
"""What tools answer that can't succeed in a test."""

OF_THE_TEAM = {
    "describe_settings",
    "get_team",
    "list_parsers",
    "create_parser",
    "setup_parser",
    "query",
    "list_classifiers",
    "list_models",
    "list_events",
    "get_usage",
}
"""Tools that name nothing of a team: others see their own."""
