"""Jobs, a module each; those that run at night or every hour have their schedules beside them."""
