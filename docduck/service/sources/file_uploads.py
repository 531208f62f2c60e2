"""Uploads of files on this machine to a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from docduck.documents.detection.sniff import stream_type
from docduck.service.classifiers.classifiers import get_classifier
from docduck.service.core.installation import Installation
from docduck.service.sources.uploads import UploadedFile, UploadTarget, check_upload, register_upload


def upload_to_classifier(
    inst: Installation,
    team_id: str,
    classifier_ref: str,
    paths: Sequence[Path],
    *,
    source: str = "upload",
    actor: str = "upload",
) -> list[str]:
    """Store files and register them as documents for a classifier, all or none; return their ids in order.

    Raise NotFound, FileTooLarge, UnsupportedType, or InputError if the classifier is inactive.
    """
    classifier = get_classifier(inst, team_id, classifier_ref)
    target = UploadTarget(None, len(paths), source=source, classifier_id=classifier.id)
    check_upload(inst, team_id, target)
    files = [_stored(inst, path) for path in paths]
    return [document.id for document in register_upload(inst, team_id, target, files, actor)]


def _stored(inst: Installation, path: Path) -> UploadedFile:
    with path.open("rb") as stream:
        stored = inst.files.put(stream, inst.settings.max_file_bytes)
    with inst.files.open(stored.sha256) as kept:
        return UploadedFile(path.name, stored, stream_type(kept, path.name))
