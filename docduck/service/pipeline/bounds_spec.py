"""Bounds in pipeline.yaml; ``bounds`` finds the columns that they are for."""

from __future__ import annotations

from decimal import Decimal

from pydantic import model_validator

from docduck.service.pipeline.spec import Spec


class BoundsSpec(Spec):
    """Bounds of a number ``field`` (``Items.Quantity`` in a table), or of a table's number of ``rows``.

    ``rows`` is ``documents`` or the name of a table field. Exports after each run are not written while a
    ``blocking`` check fails.
    """

    field: str | None = None
    rows: str | None = None
    minimum: Decimal | None = None
    maximum: Decimal | None = None
    blocking: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> BoundsSpec:
        if (self.field is None) == (self.rows is None):
            raise ValueError("needs either field or rows, what is to be checked")
        if self.minimum is None and self.maximum is None:
            raise ValueError("needs minimum, maximum or both")
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise ValueError("minimum is above maximum")
        return self
