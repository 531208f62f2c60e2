"""Folders of a parser."""

from __future__ import annotations

from docduck.api.routers import folders
from docduck.mcp.tool import ADD, DELETE, READ, SET, RestTools

_rest = RestTools(folders.router)

TOOLS = (
    _rest.tool(folders.list_, "list_folders", READ, "Return a parser's folders, each above those in it."),
    _rest.tool(
        folders.create,
        "create_folder",
        ADD,
        "Create a folder, for documents to be put in by update_document or by the folder's rules.",
    ),
    _rest.tool(folders.update, "update_folder", SET, "Rename, colour or move a folder, or change its rules."),
    _rest.tool(
        folders.delete,
        "delete_folder",
        DELETE,
        "Delete a folder and all below it; their documents are then in no folder. With "
        "deleteDocuments they are deleted, too, which needs the permission documents:delete.",
    ),
)
