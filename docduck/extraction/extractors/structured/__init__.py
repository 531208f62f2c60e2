"""Values that a file states as data: electronic invoices, PDF form fields, tables of the format."""
