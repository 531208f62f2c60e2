"""Webhooks: the endpoints of parsers, and the delivery of events of their documents.

``docduck.service.documents.webhook_outbox`` writes the events. Begin with ``delivery``, which sends them.
"""
