"""Reading pictures of pages: text (OCR), ruled lines, barcodes.

Begin with ``ocr_page``, which turns a page upright; ``deskew`` straightens it.
"""
