"""Labels on the page and their relation to values. Begin at ``label_finder``."""
