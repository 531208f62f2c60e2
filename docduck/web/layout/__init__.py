"""What all pages share: the base template, the style sheet and the icon."""
