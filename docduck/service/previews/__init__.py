"""What pages show of documents and samples.

``page_views`` draws pages for people, ``page_images`` for agents, ``page_texts`` reads them; ``thumbnails``,
``signed_links`` to files, ``field_suggestions``, parsers set up from samples (``parser_setup``), the effect
of a lesson (``lesson_effects``).
"""
