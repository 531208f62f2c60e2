"""The bin: documents that were deleted on the pages."""
