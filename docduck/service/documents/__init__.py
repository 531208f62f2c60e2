"""Documents in the catalog: how they are registered, found, changed and deleted.

``status_transitions`` is the only code that changes a status; ``doubts`` says which values a person should
look at.
"""
