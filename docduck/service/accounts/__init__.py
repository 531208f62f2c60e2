"""Teams, people, API keys and what they may do. Begin with ``keys``."""
