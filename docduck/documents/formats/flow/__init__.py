"""Layout of text without pages of its own. Begin with ``reader``: formats yield ``blocks``, which
``fragments`` and ``typeset`` lay out and ``pages`` paginates.
"""
