"""Training of the ranker on synthetic documents: ``python -m tests.training``.

It runs offline and writes the weights that are packaged with the ranker.
"""
