"""Teams, users, API keys and permissions. Begin with ``keys``."""
