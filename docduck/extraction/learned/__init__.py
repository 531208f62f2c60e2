"""What people corrected or approved: where a look's values stand, and how the next document is read."""
