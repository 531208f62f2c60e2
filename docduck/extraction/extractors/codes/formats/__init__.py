"""The formats of codes and of lines that machines read, each by its standard: text in, values out."""
