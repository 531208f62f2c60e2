"""Reading pictures of pages: text (OCR), ruled lines, barcodes. Begin with ``ocr_page``."""
