"""Word processing documents (.docx). Begin with ``docx``."""
