"""Classifiers: they route documents to parsers."""

from __future__ import annotations

from docduck.api.routers import classifiers
from docduck.mcp.tool import ADD, DELETE, READ, SET, Settings, rest_tool
from docduck.mcp.views import CLASSIFIER, CLASSIFIERS, DOCUMENTS

_settings = Settings("classifier", ("name", "routing"))

TOOLS = (
    rest_tool(classifiers.list_, "list_classifiers", READ, "Return the team's classifiers.", CLASSIFIERS),
    rest_tool(classifiers.get, "get_classifier", READ, "Return a classifier with its rules.", CLASSIFIER),
    rest_tool(
        classifiers.create,
        "create_classifier",
        ADD,
        'Create a classifier, which routes documents to parsers. Example: {"name": "Inbox", "routing": '
        '{"rules": [{"label": "Invoice", "targetParserId": "…"}]}}.',
        CLASSIFIER,
        _settings,
    ),
    rest_tool(
        classifiers.update,
        "update_classifier",
        SET,
        "Change a classifier; what is not given stays as it is.",
        CLASSIFIER,
        _settings,
    ),
    rest_tool(
        classifiers.delete,
        "delete_classifier",
        DELETE,
        "Delete a classifier, and its documents that were not routed to a parser.",
    ),
    rest_tool(
        classifiers.documents,
        "list_classifier_documents",
        READ,
        "Return the documents that a classifier received, and where each was routed.",
        DOCUMENTS,
        Settings("classifier_documents", ("q", "status", "page", "limit")),
    ),
)
