"""The README files as pages of help: rendered, searched, and linked from where they are needed."""
