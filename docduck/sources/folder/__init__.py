"""Watched folders: ``walk`` finds files, ``safe_open`` opens them, ``disposal`` moves them."""
