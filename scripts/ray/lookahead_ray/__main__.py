"""The command `lookahead-ray`."""

from __future__ import annotations

import shutil
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
    if shutil.which(options.lookahead) is None:
        print(f"lookahead-ray: there is no program {options.lookahead}; --lookahead or the variable LOOKAHEAD says where it is", file=sys.stderr)
        return Exit.NO_INPUT
    # Only now: Ray takes a second to load.
    from ray.exceptions import RayTaskError

    from .run import Failed, Run

    try:
        return Run(options).run()
    except Failed as error:
        print(f"lookahead-ray: {error}", file=sys.stderr)
        return error.code
    except RayTaskError as error:
        print(f"lookahead-ray: a bug: {error}", file=sys.stderr)
        return Exit.BUG
    except ConnectionError as error:
        print(f"lookahead-ray: no Ray cluster at {options.address}: {error}", file=sys.stderr)
        return Exit.NO_INPUT


if __name__ == "__main__":
    sys.exit(main())
