"""A module that tells when it is imported."""

print("imported", flush=True)
