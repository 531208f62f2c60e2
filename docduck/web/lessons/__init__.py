"""What a parser has learned from corrections and approvals."""
