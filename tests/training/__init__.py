"""Trains the ranker on documents of made-up senders: ``python -m tests.training``.

Nothing here runs when documents are read; the weights it writes stand beside the ranker.
"""
