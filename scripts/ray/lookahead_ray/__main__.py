"""The command `lookahead-ray`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .exits import Exit
from .options import UsageError, parse


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; answers the exit code."""
    try:
        options = parse(sys.argv[1:] if arguments is None else arguments)
    except UsageError as error:
        print(f"lookahead-ray: {error}\nsee lookahead-ray run --help", file=sys.stderr)
        return Exit.USAGE
    # Only now: Ray takes a second to load.
    from .run import Failed, Run

    try:
        return Run(options).run()
    except Failed as error:
        print(f"lookahead-ray: {error}", file=sys.stderr)
        return error.code
    except ConnectionError as error:
        print(f"lookahead-ray: no Ray cluster at {options.address}: {error}", file=sys.stderr)
        return Exit.NO_INPUT


if __name__ == "__main__":
    sys.exit(main())
