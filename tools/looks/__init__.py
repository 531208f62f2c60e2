"""Made-up looks of documents with their exact truth, and the page network that is trained on them
(``train``).
"""
