"""Documents: lists, single ones, their files, and the operations that read them."""
