"""Runs one command and says what it used.

Run as a program it is the small process in between: what a process is said to have held at most is never less than what
its parent held when it was started, so the parent has to be small."""
import json, os, signal, subprocess, sys, time
from dataclasses import dataclass


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
    meter = [sys.executable, "-I", "-S", os.path.abspath(__file__), *words]
    errors = os.path.join(folder, "errors.txt")
    with open(errors, "wb") as said:
        process = subprocess.Popen(
            meter, cwd=folder, env={**os.environ, **(environment or {})}, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said)
        try:
            figures = process.communicate(timeout=timeout)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return Usage(timeout, 0, 0, -1, f"stopped after {timeout} s")
    with open(errors, errors="replace") as said:
        text = said.read()
    if process.returncode:
        return Usage(0, 0, 0, process.returncode, text[-2000:])
    return Usage(**json.loads(figures), said=text[-20_000:])


def main(words):
    began = time.monotonic()
    silence = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    child = os.posix_spawnp(words[0], words, os.environ, file_actions=silence)
    _, status, used = os.wait4(child, 0)
    wall = time.monotonic() - began
    print(json.dumps({
        "wall": wall, "cpu": used.ru_utime + used.ru_stime, "rss": used.ru_maxrss / 1024,
        "code": os.waitstatus_to_exitcode(status)}))


if __name__ == "__main__":
    main(sys.argv[1:])
