"""The pages of classifiers: their documents, rules, examples and settings."""
