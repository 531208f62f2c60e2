"""Signing in by an OpenID Connect provider. Begin with ``flow``."""
