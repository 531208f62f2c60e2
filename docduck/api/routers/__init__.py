"""The endpoints, one router per resource; each calls one use case of ``docduck.service``."""
