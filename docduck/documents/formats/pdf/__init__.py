"""PDF: words from the text layer, ruled lines, form fields, attachments and rendering.

Begin with ``reader``; ``page`` decides between text layer and OCR, by ``text_layer_quality``.
"""
