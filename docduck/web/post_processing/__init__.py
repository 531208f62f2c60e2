"""The post-processing of a parser, its lookup tables, and a try-out."""
