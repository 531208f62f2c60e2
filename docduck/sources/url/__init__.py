"""Documents at URLs: a single one, or those that a page, a feed or a sitemap links to."""
