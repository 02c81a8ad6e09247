"""The command line: ``python -m packfair``, or ``packfair``."""

import sys

from ._packfair import command_line


def main() -> None:
    sys.exit(command_line(*sys.argv[1:]))


if __name__ == "__main__":
    main()
