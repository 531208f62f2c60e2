"""What is shown of a document before or beside its values: thumbnails, signed links, suggested fields."""
