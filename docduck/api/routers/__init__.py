"""The endpoints, one router per resource: each translates to one use case of ``docduck.service``."""
