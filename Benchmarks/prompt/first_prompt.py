#!/usr/bin/env python3
"""How long a person waits for the prompt: from the start of the process to the first prompt in a real pseudo-terminal,
from Tab to the completion on a table of 100,000 keys, and from a key to its letter on the screen.

Usage: first_prompt.py PROGRAM [RUNS]
"""

import os
import pty
import select
import statistics
import struct
import sys
import tempfile
import termios
import time
import fcntl


class Prompt:
    """A prompt in a pseudo-terminal of 80x24, with no history and no init file."""

    def __init__(self, program, folder):
        self.text = b""
        self.began = time.perf_counter()
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            settings = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", "")}
            settings |= {"HOME": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}
            os.execve(program, [program, "repl"], settings)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def wait(self, wanted, deadline=30):
        """Reads until the bytes have come, and returns the seconds since `began`."""
        end = time.perf_counter() + deadline
        while wanted not in self.text:
            if not select.select([self.terminal], [], [], max(0, end - time.perf_counter()))[0]:
                raise SystemExit(f"{wanted!r} never came: {self.text[-300:]!r}")
            self.text += os.read(self.terminal, 65536)
        return time.perf_counter() - self.began

    def send(self, keys, wanted):
        self.text = b""
        self.began = time.perf_counter()
        os.write(self.terminal, keys)
        return self.wait(wanted)

    def leave(self):
        os.write(self.terminal, b"\x15\x04")
        os.close(self.terminal)
        os.waitpid(self.child, 0)


def figures(name, seconds):
    ordered = sorted(value * 1000 for value in seconds)
    high = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"{name:<42} {ordered[0]:8.2f} {statistics.median(ordered):8.2f} {high:8.2f}")


def main():
    program = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    with tempfile.TemporaryDirectory() as folder:
        first = []
        for _ in range(runs):
            prompt = Prompt(program, folder)
            first.append(prompt.wait(b">"))
            prompt.leave()
        prompt = Prompt(program, folder)
        prompt.wait(b">")
        prompt.send(b"t = {} for i = 1, 100000 do t['key' .. i] = i end\r", b"2>")
        complete = []
        for _ in range(runs):
            prompt.send(b"t.key777", b"777")
            complete.append(prompt.send(b"\t", b"key77799"))
            prompt.send(b"\x15", b"\x1b[K")
        letters = []
        for _ in range(runs):
            letters.append(prompt.send(b"q", b"q"))
            prompt.send(b"\x15", b"\x1b[K")
        prompt.leave()
    print(f"{'milliseconds, ' + str(runs) + ' runs':<42} {'least':>8} {'median':>8} {'95 %':>8}")
    figures("process start to first prompt", first)
    figures("Tab to candidates, 100,000 keys", complete)
    figures("key to letter", letters)


main()
