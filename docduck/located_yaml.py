"""YAML with line numbers for error messages."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from docduck.errors import InputError

_MOST_NODES = 100_000
_VARIABLE = re.compile(r"\$(\$)?\{([^{}]*)\}")


@dataclass(slots=True)
class LocatedYaml:
    """The content of a YAML file; ``lines`` holds the line of each path such as ``sources[0].after``.

    ``problems`` collects (path, message).
    """

    name: str
    value: Any = None
    lines: dict[str, int] = field(default_factory=dict)
    problems: list[tuple[str, str]] = field(default_factory=list)

    def place(self, path: str) -> str:
        """Return ``pipeline.yaml:12: sources[0].after``; a missing key has the line of its parent."""
        known = path
        while known and known not in self.lines:
            known = re.sub(r"(^|\.)[^.\[\]]*$|\[\d+\]$", "", known)
        where = f"{self.name}:{self.lines.get(known, 1)}"
        return f"{where}: {path}" if path else where

    def error(self) -> InputError:
        """Return all problems as one error, by line."""
        ordered = sorted(self.problems, key=lambda problem: self._line(problem[0]))
        texts = dict.fromkeys(f"{self.place(path)}: {words}" for path, words in ordered)
        return InputError("\n".join(texts), ordered[0][0] or None)

    def _line(self, path: str) -> int:
        return int(self.place(path).removeprefix(self.name).split(":")[1])


def read_located_yaml(path: Path, environment: Mapping[str, str] | None = None) -> LocatedYaml:
    """Read the YAML file at ``path``; ``${NAME}`` in texts is replaced by the environment variable.

    ``$${NAME}`` is an escaped ``${NAME}``. Raise InputError if the file can't be read or is invalid YAML.
    """
    marked = LocatedYaml(path.name)
    try:
        loader = yaml.SafeLoader(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text") from error
    except yaml.YAMLError as error:
        raise InputError(f"{path.name}: is not valid YAML: {error}") from error
    try:
        node = loader.get_single_node()
        if node is not None:
            builder = _Builder(loader, marked, os.environ if environment is None else environment)
            marked.value = builder.build(node, "")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise InputError(f"{path.name}:{line}: is not valid YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise InputError(f"{path.name}: is not valid YAML: {error}") from error
    finally:
        loader.dispose()
    return marked


def path_in_file(path: str | None) -> str:
    """Return a path of the API, ``steps.0.field``, as it is in a file: ``steps[0].field``."""
    return re.sub(r"\.(\d+)", r"[\1]", path or "")


@dataclass(slots=True)
class _Builder:
    """Build values from nodes. Aliases are expanded; too many nodes are an error."""

    loader: yaml.SafeLoader
    marked: LocatedYaml
    environment: Mapping[str, str]
    count: int = 0
    open: set[int] = field(default_factory=set)

    def build(self, node: yaml.Node, path: str) -> Any:
        self.count += 1
        if self.count > _MOST_NODES or id(node) in self.open:
            raise InputError(f"{self.marked.name}:{_line(node)}: has too many or endless aliases")
        self.marked.lines.setdefault(path, _line(node))
        if isinstance(node, yaml.MappingNode):
            self.open.add(id(node))
            value: Any = self._mapping(node, path)
        elif isinstance(node, yaml.SequenceNode):
            self.open.add(id(node))
            value = [self.build(child, f"{path}[{index}]") for index, child in enumerate(node.value)]
        else:
            return self._scalar(node, path)
        self.open.discard(id(node))
        return value

    def _mapping(self, node: yaml.MappingNode, path: str) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, child in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else "?"
            place = f"{path}.{name}" if path else name
            if name in values:
                first = self.marked.lines[place]
                self.marked.problems.append((place, f"is given twice, on lines {first} and {_line(key)}"))
                continue
            self.marked.lines[place] = _line(key)
            values[name] = self.build(child, place)
        return values

    def _scalar(self, node: yaml.Node, path: str) -> Any:
        try:
            value = self.loader.construct_object(node)
        except (ValueError, yaml.YAMLError):
            self.marked.problems.append((path, f"'{node.value}' can't be read; put it in quotes"))
            return None
        return (
            _VARIABLE.sub(lambda match: self._variable(match, path), value) if type(value) is str else value
        )

    def _variable(self, match: re.Match[str], path: str) -> str:
        if match[1]:
            return match[0][1:]
        if match[2] not in self.environment:
            self.marked.problems.append((path, f"the environment variable {match[2]} is not set"))
            return ""
        return self.environment[match[2]]


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
