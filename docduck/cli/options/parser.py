"""The argument for a command's parser."""

from __future__ import annotations

from typing import Annotated

import typer

ParserArgument = Annotated[str, typer.Argument(metavar="PARSER", help="Slug, name or id of the parser.")]
