"""The language model engine: an OpenAI-compatible endpoint reads the pages, and every answer is checked."""
