"""Rich Text Format (RTF 1.9.1). Begin with ``reader``."""
