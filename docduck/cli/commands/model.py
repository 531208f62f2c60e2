"""``docduck model``: the language model on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from docduck.cli.options.shared import command_group
from docduck.cli.output import JsonOption, print_json, print_result, progress, say
from docduck.cli.tables import Columns, print_rows
from docduck.errors import InputError
from docduck.local_model.choice import (
    CONTEXT_TOKENS,
    Choice,
    choose,
    chosen,
    local_model,
    models_folder,
    servers_folder,
)
from docduck.local_model.gguf import read_header
from docduck.local_model.listed_models import ListedModel, listed_model, listed_models
from docduck.local_model.memory import in_gigabytes, needed_bytes
from docduck.local_model.server import REMEDY, is_installed
from docduck.local_model.server_state import ServerState
from docduck.settings import Settings, settings

app = command_group("The language model on this machine.")

_LIST: Columns = {
    "Name": "name",
    "Size": lambda row: in_gigabytes(row["bytes"]),
    "Memory": "memory",
    "Licence": "licence",
    "Good for": "goodFor",
    "Here": lambda row: "in use" if row["isUsed"] else "pulled" if row["isPulled"] else "",
}
_MEBIBYTE = 20


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List models that can be pulled, with size, memory and licence, and the one in use."""
    from docduck.local_model.pulling import pulled_path

    now = settings()
    model = local_model(now)
    used = None if model is None else model.file
    rows = [
        {
            "name": one.name,
            "title": one.title,
            "bytes": one.bytes,
            "memory": one.memory,
            "licence": one.licence,
            "goodFor": one.good_for,
            "repository": one.repository,
            "revision": one.revision,
            "sha256": one.sha256,
            "isPulled": pulled_path(now.home, one).is_file(),
            "isUsed": pulled_path(now.home, one) == used,
        }
        for one in listed_models()
    ]
    if json:
        print_json({"models": rows, "file": used})
        return
    print_rows(rows, _LIST)
    if used is not None and not any(row["isUsed"] for row in rows):
        say(f"In use: {used}")


@app.command()
def pull(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name in docduck model list.")],
    json: JsonOption = False,
) -> None:
    """Download a model from its publisher, and use it if the home has no other; goes on after a break."""
    # A command that only lists doesn't load the client.
    from docduck.local_model.pulling import pull

    now, model = settings(), listed_model(name)
    if not json:
        say(f"{model.title}, {in_gigabytes(model.bytes)}, from {model.repository}")
        say(f"Its licence is {model.licence}")
    with progress("Pulling") as advance:
        path = pull(model, now, lambda done, of: advance(done >> _MEBIBYTE, of >> _MEBIBYTE))
    is_used = chosen(now.home) is None
    if is_used:
        choose(now.home, _choice_of(model, path))
    then = "The home uses it now" if is_used else f"docduck model use {model.name} makes it the home's model"
    result = {"name": model.name, "file": path, "licence": model.licence, "isUsed": is_used}
    print_result(result, f"{path} is there, and its hash is right. {then}", json)


@app.command()
def use(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A GGUF file, or the name of a model that was pulled.")
    ],
    json: JsonOption = False,
) -> None:
    """Make a model file the home's model, which parsers ask."""
    now = settings()
    if not is_installed():
        raise InputError(f"xllamacpp, which serves models, is not installed: {REMEDY}", "model")
    choice = _named(model)
    header = read_header(Path(choice.file))
    context = min(header.context_tokens, now.model_context_tokens or CONTEXT_TOKENS)
    before = chosen(now.home)
    choose(now.home, choice)
    if before is not None:
        _end_servers(Path(before.file), now)
    needed = needed_bytes(header, context)
    result = {"name": choice.name, "file": choice.file, "licence": choice.licence, "contextTokens": context}
    print_result(
        result,
        f"{choice.name} is the home's model: licence {choice.licence or 'not stated in the file'}, "
        f"{context} tokens of context, {in_gigabytes(needed)} of memory. docduck model test tries it",
        json,
    )
    for variable, value in (
        ("DOCDUCK_MODEL_FILE", now.model_file),
        ("DOCDUCK_MODEL_BASE_URL", now.model_base_url),
        ("DOCDUCK_MODEL_PRESET", now.model_preset),
    ):
        if value is not None and not json:
            say(f"{variable} is set, and goes before it: unset it", "yellow")


@app.command()
def test(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A model of models.yaml; without, the default one."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Try a model that is configured, file or endpoint: schema, pictures, speed, context."""
    from docduck.extraction.extractors.model.trial import try_model
    from docduck.extraction.models import read_models

    options = read_models(settings()).chosen(name)
    if options is None:
        raise InputError(
            "There is no model: docduck model pull NAME gets one, docduck model use FILE.gguf names one, "
            "DOCDUCK_MODEL_BASE_URL an endpoint"
        )
    trial = try_model(options)
    if json:
        print_json(trial)
        return
    rows: list[tuple[str, Any]] = [
        ("Model", trial.model),
        ("First answer after", f"{trial.first_seconds:.1f} s"),
        ("JSON schema", "yes" if trial.form == "json_schema" else f"no ({trial.form})"),
        ("A short invoice", "read right" if trial.is_right else "not read right"),
        ("Pictures", "yes" if trial.takes_pictures else "no"),
        ("Tokens read a second", _speed(trial.read_per_second)),
        ("Tokens written a second", _speed(trial.written_per_second)),
        ("Context", f"{trial.context_tokens} tokens"),
    ]
    for label, value in rows:
        say(f"{label}: {value}")


@app.command()
def remove(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A model that was pulled.")] = None,
    json: JsonOption = False,
) -> None:
    """Delete a model that was pulled; without a name, let the home use none."""
    from docduck.local_model.pulling import pulled_path

    now = settings()
    current = chosen(now.home)
    used = None if current is None else Path(current.file)
    path = None if name is None else pulled_path(now.home, listed_model(name))
    if path is not None and not path.is_file():
        raise InputError(f"{name} was not pulled: there is no file {path}", "name")
    file = path or used
    if file is None:
        raise InputError("No model was chosen for this home")
    is_unset = file == used
    if is_unset:
        choose(now.home, None)
    if path is not None:
        path.unlink()
        path.with_suffix(".part").unlink(missing_ok=True)
    _end_servers(file, now)
    what = [f"{path} is deleted"] if path is not None else []
    what += ["the home uses no model now"] if is_unset else []
    text = " and ".join(what)
    print_result({"file": path, "isUnset": is_unset}, text[0].upper() + text[1:], json)


def _end_servers(file: Path, now: Settings) -> None:
    """End the servers of a file that no model has any more; one of models.yaml may still have it."""
    from docduck.extraction.models import usable_models

    models = usable_models(now).by_name.values()
    used = {ServerState.of(model.local).folder for model in models if model.local is not None}
    for server in ServerState.all_in(servers_folder(now.home), file):
        if server.folder not in used:
            server.end()


def _named(model: str) -> Choice:
    """Return the choice that a file, or the name of a pulled model, is; raise InputError."""
    from docduck.local_model.pulling import pulled_path

    path = Path(model).absolute()
    if path.is_file():
        return Choice(str(path), path.stem, read_header(path).licence)
    if path.suffix == ".gguf" or "/" in model:
        raise InputError(f"There is no file {path}", "model")
    listed = listed_model(model)
    pulled = pulled_path(settings().home, listed)
    if not pulled.is_file():
        raise InputError(
            f"{model} is not in {models_folder(settings().home)}: docduck model pull {model}", "model"
        )
    return _choice_of(listed, pulled)


def _choice_of(model: ListedModel, path: Path) -> Choice:
    return Choice(str(path), model.name, model.licence)


def _speed(figure: float | None) -> str:
    return "not reported" if figure is None else f"{figure:.0f}"
