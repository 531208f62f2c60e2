"""The settings of a parser, its upload page, and its copy and end."""
