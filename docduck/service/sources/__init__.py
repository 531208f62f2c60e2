"""How documents arrive: watched folders (``intake``), uploads and URLs."""
