"""The REST API: translates HTTP to the use cases of ``docduck.service`` and back.

A request passes a ``route`` and the checks in ``request``, and reaches an endpoint in ``routers``;
``schemas`` has bodies and responses, ``response`` errors and OpenAPI.
"""
