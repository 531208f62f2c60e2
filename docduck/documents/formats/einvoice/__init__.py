"""Electronic invoices and orders in XML as one semantic model.

Begin with ``parse``; each syntax is a file of ``syntaxes``, which says which element is which term.
"""
