"""Fits what the engine learned besides the page's reading: weights of confidence and of remaining places."""
