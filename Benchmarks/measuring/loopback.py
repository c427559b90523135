"""Refuses whatever leaves the loopback, for this process and all that it starts."""
import os, sys
from .places import HERE

MARK = "LOOKAHEAD_BENCHMARKS_LOOPBACK"


def enter(words):
    """Starts this program again in a network of its own that has loopback and nothing else."""
    if os.environ.get(MARK): return
    script = os.path.join(HERE, "http", "loopback_only.sh")
    sys.stdout.flush()
    os.execve(script, [script, sys.executable, *words], {**os.environ, MARK: "1"})


def is_alone():
    """Whether there is loopback and nothing else."""
    with open("/proc/net/dev") as file: names = {line.split(":")[0].strip() for line in file if ":" in line}
    return names == {"lo"}
