"""Secrets that a command asks for, as arguments would show them to others."""

from __future__ import annotations

import sys

import typer


def asked_secret(prompt: str, *, twice: bool = False) -> str:
    """Return what is entered, unseen and perhaps ``twice``, or the first line of a pipe."""
    if sys.stdin.isatty():
        return str(typer.prompt(prompt, hide_input=True, confirmation_prompt=twice, err=True))
    return sys.stdin.readline().rstrip("\r\n")
