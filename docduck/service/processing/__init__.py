"""Claiming queued documents, reading them in worker processes and storing the results.

Begin with ``processing``; ``document_queue`` claims, ``fair_scheduling`` chooses, ``results`` stores,
``routing`` and ``splitting`` store what workers decided, ``model_spending`` bounds what a language model
costs.
"""
