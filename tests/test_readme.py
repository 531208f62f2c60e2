from __future__ import annotations

import pytest

from tests import readme


def test_the_readme_s_tables_are_those_of_the_code() -> None:
    text = readme.README.read_text()
    assert text == readme.filled(text), "run: python -m tests.readme"


def test_a_readme_without_its_markers_is_told() -> None:
    with pytest.raises(ValueError, match="0 blocks <!-- settings -->"):
        readme.filled("# docduck\n")


def test_every_command_option_and_argument_says_what_it_is_for() -> None:
    silent = [
        (*path, parameter.name)
        for path, command in readme.commands()
        for parameter in command.params
        if parameter.name != "help" and not parameter.help
    ]
    assert silent == []
    assert [path for path, command in readme.commands() if not command.help] == []
