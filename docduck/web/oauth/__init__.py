"""The OAuth endpoints that programs use: metadata, registration, tokens and revocation."""
