"""Candidates: typed values printed on a page. Begin at ``recognizers``."""
