"""Fits what the engine learned besides the page's reading: weights of confidence (``confidence_fit``) and of
remaining places.
"""
