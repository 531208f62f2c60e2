"""Teams, users and what they may do.

``sign_in`` and ``sessions`` let people in, ``keys`` programs, ``permissions`` says what each may do,
``quotas`` how many documents a team may add.
"""
