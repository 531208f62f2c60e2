"""A language model on this machine: a file that a process of docduck's own serves.

``choice`` says which model a home uses, ``listed_models`` which can be pulled by ``pulling``. ``endpoint``
sends requests; ``server`` starts the process, whose program is ``program``.
"""
