"""What people corrected: where a look's values are printed, and how the next document of it is read.

``teach`` makes a lesson of one corrected document, ``engine`` reads the next one by the places that lessons
name, and ``revision`` puts right what other engines read. A lesson teaches places, never a text; a text that
no words show becomes a constant of a look only when several lessons agree (``constants``).
"""
