"""The processes of ``docduck up``: started in ``processes``, kept running by ``supervisor``."""
