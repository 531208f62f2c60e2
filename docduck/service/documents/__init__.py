"""Documents in the catalog: how they are registered, found, changed and deleted.

Begin with ``states``, the only code that changes a status.
"""
