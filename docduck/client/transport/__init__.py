"""Sending a client's requests: encoding, retries, paging. Begin with ``endpoint``."""
