"""The Dagster UI, behind the sign-in."""
