"""The REST API: HTTP to the use cases of ``docduck.service`` and back; it decides nothing itself."""
