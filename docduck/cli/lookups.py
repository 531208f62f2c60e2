"""Things as people name them in commands: the ids that the API takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from docduck.client import Client
from docduck.client.types import Classifier, DocumentDetails, Folder, Parser
from docduck.errors import Conflict, NotFound
from docduck.ids import is_uuid

Named = TypeVar("Named", Parser, Classifier)

_WORDS = {
    "documentId": "Document",
    "folderId": "Folder",
    "stageId": "Review stage",
    "webhookId": "Webhook",
    "deliveryId": "Delivery",
    "lessonId": "Lesson",
}


def checked_id(kind: str, ref: str) -> str:
    """Return an id such as a ``documentId``; raise NotFound if it can't be one."""
    if not is_uuid(ref):
        raise NotFound(f"{_WORDS[kind]} not found", kind, ref)
    return ref


def parser_id(client: Client, ref: str) -> str:
    """Return the id of the parser with this id, slug or name, in that order; raise NotFound."""
    if is_uuid(ref):
        return ref
    return _named(client.parsers.list(sort="createdAt.asc", limit=100), "Parser", ref)["id"]


def classifier_id(client: Client, ref: str) -> str:
    """Return the id of the classifier with this id, slug or name, in that order; raise NotFound."""
    if is_uuid(ref):
        return ref
    return _named(client.classifiers.list(sort="createdAt.asc", limit=100), "Classifier", ref)["id"]


def find_document(client: Client, document_id: str) -> DocumentDetails:
    """Return the document of whatever parser; raise NotFound."""
    return client.documents.find(checked_id("documentId", document_id))


def parser_of(document: DocumentDetails) -> str:
    """Return the id of a document's parser; raise Conflict if no classifier has routed it to one yet."""
    if document["parserId"] is None:
        raise Conflict("The document has no parser")
    return document["parserId"]


def member_id(client: Client, parser: str, email: str) -> str:
    """Return the id of the team's member with this address; raise NotFound."""
    address = email.strip().lower()
    for person in client.review_stages.reviewers(parser):
        if person["email"].lower() == address:
            return person["id"]
    raise NotFound("No member of the team has this address", "reviewerId", email)


def folder_at(folders: Sequence[Folder], ref: str) -> Folder:
    """Return the folder with this id, or with a path such as ``Bills / 2026`` or ``bills/2026``.

    Raise NotFound naming those that there are.
    """
    key = _key(ref)
    for folder in folders:
        if ref.strip().lower() == folder["id"] or key == _key(folder["pathLabel"]):
            return folder
    known = ", ".join(folder["pathLabel"] for folder in folders) or "none"
    raise NotFound(f"There is no folder '{ref}'; the parser's folders: {known}", "folderId", ref)


def ids_below(folders: Sequence[Folder], ref: str) -> list[str]:
    """Return the ids of the folder at ``ref`` and of all folders below it; raise NotFound."""
    top = folder_at(folders, ref)["id"]
    return [folder["id"] for folder in folders if top in folder["pathIds"]]


def _named(all_: Iterable[Named], kind: str, ref: str) -> Named:
    matches = [thing for thing in all_ if ref in (thing["slug"], thing["name"])]
    if not matches:
        raise NotFound(f"{kind} not found", f"{kind.lower()}Id", ref)
    return next((match for match in matches if match["slug"] == ref), matches[0])


def _key(path: str) -> str:
    return "/".join(part.strip().casefold() for part in path.strip().strip("/").split("/"))
