"""The oldest catalog that is upgraded. New ones are created from the models, as the newest migration leaves
them.
"""

revision = "0026"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Do nothing: a catalog at this version has its tables."""
