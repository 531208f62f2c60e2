"""Court documents, and filings with authorities such as annual reports. Begin with ``extractor``."""
