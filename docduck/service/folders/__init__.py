"""Folders in which a parser's documents are filed; ``auto_assignment`` files them by rules."""

from docduck.service.folders.folder_changes import create_folder, update_folder
from docduck.service.folders.folder_deletion import FolderDeleted, delete_folder
from docduck.service.folders.folder_lookup import ROOT, get_folder, list_folders
from docduck.service.folders.folder_views import FolderView

__all__ = [
    "ROOT",
    "FolderDeleted",
    "FolderView",
    "create_folder",
    "delete_folder",
    "get_folder",
    "list_folders",
    "update_folder",
]
