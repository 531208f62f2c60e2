"""Folders of a parser."""

from __future__ import annotations

from docduck.api.routers import folders
from docduck.mcp.tool import ADD, DELETE, READ, SET, Settings, rest_tool

_settings = Settings("folder", ("name", "parentId"))

TOOLS = (
    rest_tool(folders.list_, "list_folders", READ, "Return a parser's folders, each above those in it."),
    rest_tool(
        folders.create,
        "create_folder",
        ADD,
        "Create a folder; documents get there by update_document or by its rules.",
        settings=_settings,
    ),
    rest_tool(
        folders.update,
        "update_folder",
        SET,
        "Rename or move a folder, or change its rules.",
        settings=_settings,
    ),
    rest_tool(
        folders.delete,
        "delete_folder",
        DELETE,
        "Delete a folder and all below it; their documents are then in no folder, or with "
        "deleteDocuments deleted, which needs documents:delete.",
    ),
)
