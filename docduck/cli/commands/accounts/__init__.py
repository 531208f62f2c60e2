"""Commands about users, teams, keys and connections."""
