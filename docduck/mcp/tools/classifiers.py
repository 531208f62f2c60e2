"""Classifiers: they route documents to parsers."""

from __future__ import annotations

from docduck.api.routers import classifiers
from docduck.mcp.tool import ADD, DELETE, READ, SET, RestTools

_rest = RestTools(classifiers.router)

TOOLS = (
    _rest.tool(classifiers.list_, "list_classifiers", READ, "Return a page of the team's classifiers."),
    _rest.tool(classifiers.get, "get_classifier", READ, "Return a classifier with its rules."),
    _rest.tool(
        classifiers.create,
        "create_classifier",
        ADD,
        "Create a classifier with at least one rule: a category in words, and the parser for it.",
    ),
    _rest.tool(
        classifiers.update, "update_classifier", SET, "Change the properties and settings that are given."
    ),
    _rest.tool(
        classifiers.delete,
        "delete_classifier",
        DELETE,
        "Delete a classifier and its documents that are in no parser; routed ones stay in their parsers.",
    ),
    _rest.tool(
        classifiers.documents,
        "list_classifier_documents",
        READ,
        "Return a page of the documents that a classifier received, with where each was routed.",
    ),
)
