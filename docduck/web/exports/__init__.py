"""The exports of a parser, and their layouts."""
