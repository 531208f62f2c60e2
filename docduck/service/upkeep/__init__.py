"""Maintenance of an installation: health, status, data checks, housekeeping and retention."""
