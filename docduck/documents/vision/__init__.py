"""What is seen in pictures of pages: text (OCR), ruled lines, barcodes."""
