"""Review stages of parsers, and reviews of documents.

``review_start`` puts extracted documents into review, ``next_stage`` chooses the stage, ``decisions``
approves and rejects, and ``stage_changes`` sets up the stages.
"""
