"""Values that barcodes and QR codes on the pages state."""
