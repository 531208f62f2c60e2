"""The page of the post-processing, as its forms show it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from starlette.responses import Response

from docduck.errors import InputError
from docduck.extraction.post_processing.steps import MODES, ON_MISSING, Transform
from docduck.extraction.post_processing.transforms import DECIMAL_SEPARATORS, GROUP_SEPARATORS
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.lookup_tables import list_lookup_tables
from docduck.service.parsers.parsers import get_parser
from docduck.service.parsers.post_processing import get_post_processing
from docduck.service.previews.try_out import TryOut
from docduck.statuses import HAS_VALUES
from docduck.web.page import page
from docduck.web.post_processing.step_form import (
    NEW_LOOKUP,
    NEW_TRANSFORM,
    RawStep,
    raw_step,
    targets,
)
from docduck.web.rest_bodies import error_at_top

SHOWN = "steps"
"""The field of forms that holds the steps that the page showed."""

_EMPTY_PAIRS = 2
_DOCUMENTS = 20
_DONE = {
    "saved": "The steps are saved. They apply to documents that are read from now on.",
    "table-saved": "The lookup table is saved.",
    "table-deleted": "The lookup table is deleted.",
}


@dataclass(frozen=True, slots=True)
class StepsPage:
    """What the page is made for: a user and a parser, by its id, slug or name."""

    inst: Installation
    signed_in: SignedIn
    user: TeamUser
    parser_ref: str

    def shown(
        self,
        *,
        done: str = "",
        error: InputError | None = None,
        typed: tuple[int, RawStep] | None = None,
        tried: TryOut | None = None,
        document_id: str = "",
    ) -> Response:
        """Return the page; ``typed`` is the step that is wrong, by its number or 0 for a new one."""
        parser = get_parser(self.inst, self.user.team_id, self.parser_ref)
        steps = get_post_processing(self.inst, self.user.team_id, parser.id)
        number, raw = typed or (None, None)
        new = {"transform": NEW_TRANSFORM, "lookup": NEW_LOOKUP}
        if number == 0 and raw:
            new[raw.type] = raw
        documents = list_documents(self.inst, self.user.team_id, parser.id, limit=_DOCUMENTS).rows
        return page(
            "post_processing/post_processing.html.j2",
            self.signed_in,
            done=_DONE.get(done, ""),
            error=None if error is None else error_at_top(error),
            parser=parser,
            tab="post-processing",
            shown=SHOWN,
            steps_text=json.dumps(steps),
            steps=[
                (raw_step(step), raw if at == number and raw else raw_step(step))
                for at, step in enumerate(steps, start=1)
            ],
            wrong=number,
            new=new,
            targets=targets(parser.fields),
            tables=list_lookup_tables(self.inst, self.user.team_id, parser.id),
            transforms=[transform.value for transform in Transform],
            decimal_separators=DECIMAL_SEPARATORS,
            group_separators=GROUP_SEPARATORS,
            modes=MODES,
            on_missing=ON_MISSING,
            empty_pairs=_EMPTY_PAIRS,
            documents=[document for document in documents if document.status in HAS_VALUES],
            document_id=document_id,
            tried=tried,
        )
