"""Contenders that are one command, and the programs of ours that they need."""
import os, subprocess
from . import meter
from .case import Contender, Sample

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = os.path.join(HERE, "out")
SCRIPTS = os.path.join(HERE, "scripts")
PEERS = os.path.join(HERE, "peers")


def command(name, line, output=None, check=None, environment=None, read=None, **more):
    """A contender that is a line for the shell, in which $OUT is where its output goes and $LOOKAHEAD our program.

    `check(path)` gives the output's digest and what is wrong with it; `read(usage)` more figures from what it said.
    `environment` may be a function of the case's world."""
    def measure(work):
        path = os.path.join(work.folder, output or "nothing")
        given = environment(work.world) if callable(environment) else environment or {}
        usage = meter.run(line, work.folder, {"OUT": path, "LOOKAHEAD": work.lookahead, **given})
        if usage.code: return Sample(wrong=f"exit code {usage.code}: {usage.said[-600:]}")
        values = {"wall": usage.wall, "cpu": usage.cpu, "rss": usage.rss}
        if read: values.update(read(usage))
        sum, fault = check(path) if check else (None, None)
        return Sample(values, fault, sum)
    ours = more.pop("ours", "$LOOKAHEAD" in line)
    return Contender(name, measure, ours=ours, **more)


def built(name, *options):
    """The path of a small program of `peers/`, compiled where its source is newer; where that fails it is missing."""
    source, program = os.path.join(PEERS, name), os.path.join(OUT, os.path.splitext(name)[0])
    os.makedirs(OUT, exist_ok=True)
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        compiled = subprocess.run(["c++", "-O2", "-std=c++17", "-o", program, source, *options], capture_output=True, text=True)
        if compiled.returncode: return f"{source} compiled: {compiled.stderr[:200]}"
    return program


def venv(name, program="python"):
    """A program of a peer's own Python, as `http/setup.sh` installs it."""
    return os.path.join(HERE, "http", ".venv", name, "bin", program)
