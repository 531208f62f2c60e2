"""Recognition of a file's format by its content. Begin with ``sniff``; ``content_types`` lists the types."""
