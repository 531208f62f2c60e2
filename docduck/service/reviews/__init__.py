"""Review stages of parsers, and reviews of documents.

``review_start`` puts extracted documents into review, ``decisions`` approves and rejects them, and
``stage_changes`` sets up the stages.
"""
