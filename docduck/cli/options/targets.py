"""The arguments for the parser or classifier of a command."""

from __future__ import annotations

from typing import Annotated

import typer

ParserArgument = Annotated[str, typer.Argument(metavar="PARSER", help="Slug, name or id of the parser.")]
ClassifierArgument = Annotated[
    str, typer.Argument(metavar="CLASSIFIER", help="Name or id of the classifier.")
]
