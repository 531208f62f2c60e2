"""Labels on the page, and values beside them."""
