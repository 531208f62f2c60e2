"""The moment of a document's last change moves with each change of its values, status, review or folder."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from docduck.catalog.models import Document
from docduck.service.accounts.accounts import remove_member
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import confirm_values, set_values
from docduck.service.documents.bin.binning import bin_documents
from docduck.service.documents.bin.restoring import restore_documents
from docduck.service.documents.cancellation import cancel
from docduck.service.documents.document_changes import DocumentChanges, update_document, update_documents
from docduck.service.documents.reprocessing import reprocess_document
from docduck.service.folders import delete_folder
from docduck.service.reviews.decisions import approve, reject, reset
from docduck.service.reviews.holding import hold, take_up
from tests.service.core.documents import complete, read_document, set_document
from tests.service.core.people import make_member
from tests.service.documents.test_document_changes import make_folder
from tests.service.reviews.reviews_world import stage

_LONG_AGO = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)


def test_every_change_moves_it(any_inst: Installation) -> None:
    inst, team = any_inst, any_inst.team_id
    parser, document_id = read_document(inst)
    ids = (inst, team, parser.id, document_id)
    ann, bob, cid = (make_member(inst, name) for name in ("Ann", "Bob", "Cid"))
    folder = make_folder(inst, parser)

    def changes(**changed: object) -> Callable[[], object]:
        return lambda: update_document(*ids, DocumentChanges(**changed))  # type: ignore[typeddict-item]

    def stages() -> None:
        for name, reviewer in (("First", ann), ("Second", bob), ("Third", cid)):
            stage(inst, parser, name, reviewer)
        reprocess_document(inst, team, parser.id, document_id)

    steps: list[tuple[str, Callable[[], object]]] = [
        ("renamed", changes(name="first.txt")),
        ("external id", changes(external_id="A-17")),
        ("custom data", changes(custom={"order": 7})),
        ("filed", changes(folder_id=folder)),
        ("in bulk", lambda: update_documents(inst, team, parser.id, [document_id], [], {"custom": None})),
        ("folder deleted", lambda: delete_folder(inst, team, parser.id, folder)),
        ("corrected", lambda: set_values(*ids, {"Total": 13})),
        ("confirmed", lambda: confirm_values(*ids)),
        ("binned and restored", lambda: _restored(inst, document_id)),
        ("queued", lambda: reprocess_document(inst, team, parser.id, document_id)),
        ("cancelled", lambda: cancel(inst, team, [document_id])),
        ("queued with stages", stages),
        ("read", lambda: complete(inst, parser)),
        ("corrected in review", lambda: set_values(*ids, {"Total": 14}, reviewer_id=ann)),
        ("held", lambda: hold(*ids, ann, "later")),
        ("taken up", lambda: take_up(*ids, ann)),
        ("assigned", changes(assignee_id=bob)),
        ("approved at the first stage", lambda: approve(*ids, bob)),
        ("a reviewer of a later stage left", lambda: remove_member(inst, team, cid)),
        ("rejected", lambda: reject(*ids, bob, "no order")),
        ("reset", lambda: reset(*ids, bob)),
    ]
    for name, step in steps:
        set_document(inst, document_id, updated_at=_LONG_AGO)
        step()
        with inst.catalog.read_session() as session:
            moved = session.get_one(Document, document_id).updated_at
        assert moved > _LONG_AGO, name


def _restored(inst: Installation, document_id: str) -> None:
    bin_documents(inst, inst.team_id, [document_id], "user")
    restore_documents(inst, inst.team_id, [document_id], "user")
