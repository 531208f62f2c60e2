"""Documents are claimed from the queue, read by workers, and stored. Begin with ``processing``."""
