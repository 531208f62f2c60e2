"""How a language model is asked: requests, turns and pauses, and what answers and refusals mean.

Begin with ``client``.
"""
