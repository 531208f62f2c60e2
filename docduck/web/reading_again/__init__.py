"""Reading the documents again that look like one that somebody corrected."""
