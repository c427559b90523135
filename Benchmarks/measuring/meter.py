"""Runs one command under `meter.c` and says what it used."""
import json, os, signal, subprocess
from dataclasses import dataclass
from .places import OUT

METER = os.path.join(OUT, "meter")


@dataclass
class Usage:
    """What one run took: seconds, MB held at most, the exit code and the end of what it said."""
    wall: float
    cpu: float
    rss: float
    code: int
    said: str


def run(command, folder, environment=None, timeout=900):
    """Runs `command` (words, or a line for the shell) in `folder`; its standard output goes nowhere."""
    words = ["sh", "-c", command] if isinstance(command, str) else [str(word) for word in command]
    errors = os.path.join(folder, "errors.txt")
    with open(errors, "wb") as said:
        process = subprocess.Popen(
            [METER, *words], cwd=folder, env={**os.environ, **(environment or {})}, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said)
        try:
            figures = process.communicate(timeout=timeout)[0]
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            if not isinstance(error, subprocess.TimeoutExpired): raise
            return Usage(timeout, 0, 0, -1, f"stopped after {timeout} s")
    with open(errors, errors="replace") as said: text = said.read()
    if process.returncode: return Usage(0, 0, 0, process.returncode, text[-2000:])
    return Usage(**json.loads(figures), said=text[-20_000:])
