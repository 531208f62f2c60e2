"""PDF: words from the text layer, ruled lines, attachments, rendering; pages without text go to OCR."""
