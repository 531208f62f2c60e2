"""Classification: which of given labels a document is. Begin with ``classifier.classify``."""
