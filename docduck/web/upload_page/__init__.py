"""The upload page for visitors, who need no API key."""
