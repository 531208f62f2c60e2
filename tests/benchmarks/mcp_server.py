"""Serve the MCP server of a home with one token: ``python -m tests.benchmarks.mcp_server HOME PORT``."""

from __future__ import annotations

import sys
from pathlib import Path

from docduck.server.app import create_app
from docduck.server.http_server import create_server
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.permissions import ALL
from docduck.service.core.installation import Installation, open_installation
from docduck.settings import Settings

TOKEN = "benchmark"


def main() -> None:
    """Serve until a signal ends it."""
    home, port = Path(sys.argv[1]), int(sys.argv[2])
    inst = open_installation(Settings(home=home, api_port=port, rate_limit_minute=0, rate_limit_day=0))
    user_id = "00000000-0000-7000-8000-000000000000"
    user = TeamUser(inst.team_id, user_id, ALL, None, user_id, "owner")

    def verify(inst: Installation, text: str, resource: str) -> TeamUser | None:
        return user if text == TOKEN else None

    create_server(create_app(inst, verify), inst.settings).run()


if __name__ == "__main__":
    main()
