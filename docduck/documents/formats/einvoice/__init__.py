"""Electronic invoices and orders in XML, of any syntax, as one semantic model."""
