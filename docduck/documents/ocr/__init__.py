"""Optical character recognition: a picture of a page to words with boxes, turned upright."""
