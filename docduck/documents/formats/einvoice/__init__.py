"""Electronic invoices and orders in XML as one semantic model. Begin with ``parse``; each syntax is a module
with a mapping.
"""
