"""``python -m docduck`` is the command ``docduck``."""

from docduck.cli.main import main

if __name__ == "__main__":
    main()
