"""Application of the upload pages in pipeline.yaml. None is deleted."""

from __future__ import annotations

from docduck.errors import NotFound
from docduck.service.core.installation import Installation
from docduck.service.core.schema import differences
from docduck.service.pipeline.pipeline_spec import UploadPageSpec
from docduck.service.uploads.upload_pages import PageOwner, get_upload_page, put_upload_page


def apply_upload_page(
    inst: Installation, team_id: str, owner: PageOwner, spec: UploadPageSpec | None
) -> list[str]:
    """Create the owner's upload page, or change it where it differs; return messages about the changes."""
    if spec is None:
        return []
    values = dict(spec)
    try:
        present = get_upload_page(inst, team_id, owner)
    except NotFound as error:
        if error.kind != "uploadPage":
            raise
        present = None
    if present is not None and not differences(present, values):
        return []
    put_upload_page(inst, team_id, owner, values)
    return [f"{owner.ref}: upload page {'created' if present is None else 'changed'}"]
