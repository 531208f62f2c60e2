"""What keeps an installation well: health, status, checks, housekeeping and retention."""
