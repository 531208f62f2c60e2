from __future__ import annotations

import re

import pytest

from tools import readme


@pytest.mark.parametrize("path", readme.TABLES)
def test_the_table_of_a_readme_is_that_of_the_code(path: str) -> None:
    text = (readme.ROOT / path).read_text()
    assert text == readme.filled(path, text), "run: python -m tools.readme"


def test_a_readme_without_its_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="0 blocks <!-- settings -->"):
        readme.filled("docduck/README.md", "# docduck\n")


def test_what_the_readmes_link_to_and_the_files_they_name_exist() -> None:
    texts = {path: path.read_text() for path in readme.ROOT.glob("**/README.md") if ".venv" not in path.parts}
    assert len(texts) > len(readme.TABLES)
    links = [
        (path, link)
        for path, text in texts.items()
        for link in re.findall(r"\]\(([^)#:]+)\)", text)
        if not (path.parent / link).exists()
    ]
    library = readme.ROOT / "docduck" / "README.md"
    named = re.findall(r"`([a-z_]+/[a-z_/]+\.py|[a-z_]+\.py|[a-z_]+/[a-z_/]+/)`", texts[library])
    missing = [
        one for one in named if not any((root / one).exists() for root in (library.parent, readme.ROOT))
    ]
    assert (links, missing) == ([], [])
    assert len(named) > 20


def test_every_command_option_and_argument_says_what_it_is_for() -> None:
    silent = [
        (*path, parameter.name)
        for path, command in readme.commands()
        for parameter in command.params
        if parameter.name != "help" and not parameter.help
    ]
    assert silent == []
    assert [path for path, command in readme.commands() if not command.help] == []
