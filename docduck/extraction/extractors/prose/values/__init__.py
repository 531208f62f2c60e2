"""Values as running text prints them: names, dates, durations, amounts and places."""
