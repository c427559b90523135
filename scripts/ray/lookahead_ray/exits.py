"""Exit codes: those of `lookahead run`, and how they come of what workers say."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from .messages import Outcome


class Exit(IntEnum):
    """What the command ends with."""

    DONE = 0
    FAILED = 1
    BUDGET = 2
    USAGE = 64
    SCRIPT = 65
    NO_INPUT = 66
    BUG = 70
    OUTPUT = 73
    PASSING = 75
    DENIED = 77
    INTERRUPTED = 130


RUN_ENDING = frozenset({Exit.USAGE, Exit.SCRIPT, Exit.NO_INPUT, Exit.BUG, Exit.OUTPUT, Exit.DENIED})
"""With which a process says that no other one would fare better: the run ends."""


def ends_run(code: int | None) -> bool:
    """Whether all other processes would end in the same way."""
    return code in RUN_ENDING


def of_failures(failures: Iterable[Outcome]) -> Exit:
    """Done without failures; if all of them are passing, it is worth trying again."""
    kinds = {failure.is_passing for failure in failures}
    if not kinds:
        return Exit.DONE
    return Exit.PASSING if kinds == {True} else Exit.FAILED
