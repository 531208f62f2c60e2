"""The pages of a team: its name, members, invitations and API keys."""
