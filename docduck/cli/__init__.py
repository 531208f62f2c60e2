"""The command line: translates commands to the use cases of ``docduck.service``.

``main`` lists the commands, which are one module each in ``commands``. ``connection`` lets them work with
this machine's installation or with a server; ``runtime`` runs the processes of ``docduck up``.
"""
