"""The pages, rendered on the server: a folder for each, with its router, its templates and what it loads.

Begin with ``sign_in``. ``page`` renders templates, ``layout`` has what all pages share, ``visit``
knows who is signed in, and ``page_route`` tells errors as pages.
"""
