"""Contenders that are one command."""
import os
from . import meter
from .case import Contender, Sample


def command(name, line, output=None, check=None, environment=None, read=None, **more):
    """A contender that is a line for the shell, in which $OUT is where its output goes and $LOOKAHEAD our program; words go without a shell.

    `check(path)` gives the output's digest and what is wrong with it; `read(usage)` more figures from what it said.
    `environment` may be a function of the case's world."""
    def measure(work):
        path = os.path.join(work.folder, output or "nothing")
        given = environment(work.world) if callable(environment) else environment or {}
        words = line if isinstance(line, str) else [work.lookahead if word == "$LOOKAHEAD" else word for word in line]
        usage = meter.run(words, work.folder, {"OUT": path, "LOOKAHEAD": work.lookahead, **given})
        if usage.code: return Sample(wrong=f"exit code {usage.code}: {usage.said[-600:]}")
        values = {"wall": usage.wall, "cpu": usage.cpu, "rss": usage.rss}
        if read: values.update(read(usage))
        sum, fault = check(path) if check else (None, None)
        return Sample(values, fault, sum)
    ours = more.pop("ours", "$LOOKAHEAD" in line)
    return Contender(name, measure, ours=ours, **more)
