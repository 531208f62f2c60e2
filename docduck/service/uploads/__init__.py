"""Uploads: of files and URLs by callers, by links for agents, and on the upload pages of visitors.

Begin with ``file_uploads``; ``backlog`` refuses what would queue for too long.
"""
