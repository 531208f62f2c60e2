"""Maintenance of an installation: ``health`` and ``status`` tell how it is, ``doctor`` what is wrong,
``checks`` whether data are as they should be; ``retention`` and ``housekeeping`` delete what is too old;
``moving`` moves it to PostgreSQL and a bucket.
"""
