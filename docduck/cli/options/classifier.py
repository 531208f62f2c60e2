"""The argument for a command's classifier."""

from __future__ import annotations

from typing import Annotated

import typer

ClassifierArgument = Annotated[
    str, typer.Argument(metavar="CLASSIFIER", help="Name or id of the classifier.")
]
