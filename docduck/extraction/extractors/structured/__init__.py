"""Values that a file states as data: electronic invoices (``invoice_terms`` names their terms), PDF form
fields, tables of the format.
"""
