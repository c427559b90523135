#!/usr/bin/env python3
"""Serves an empty PostgreSQL of its own: the database and the user postgres, and the user guarded, whose password is "open sesame".

Everybody else needs no password, on 127.0.0.1 and through the socket in the folder that is the second line of output. Nothing
of it is left when it ends. PostgreSQL does not run as root: then it runs as the user postgres. SIGUSR1 kills the server, as a
crash would, and starts it again.
"""

import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from running import arguments

SETTINGS = {
    "listen_addresses": "127.0.0.1", "fsync": "off", "full_page_writes": "off", "synchronous_commit": "off",
    "shared_buffers": "64MB", "max_connections": "100", "max_prepared_transactions": "10", "timezone": "UTC",
    "log_min_messages": "fatal"}
LOGINS = """
local all all trust
host all guarded 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
"""


def programs():
    """The folder of the newest server that is installed, as Debian has it, or the one in PATH."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: float(path.split("/")[4]))
    path = found[-1] if found else shutil.which("initdb")
    return os.path.dirname(path) if path else sys.exit("PostgreSQL is not installed")


def user():
    """What a process has to become: none may be root."""
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam("postgres")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def start(folder, bin, port, became):
    """Starts it; false if somebody has taken the port meanwhile, true once it answers."""
    settings = [f"-c{name}={value}" for name, value in SETTINGS.items()]
    with open(f"{folder}/log", "w") as log:
        server = subprocess.Popen(
            [f"{bin}/postgres", "-D", f"{folder}/data", "-p", str(port), "-k", folder] + settings,
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, cwd="/", **became)
    while server.poll() is None:
        ready = subprocess.run([f"{bin}/pg_isready", "-q", "-h", folder, "-p", str(port)], stdin=subprocess.DEVNULL)
        if ready.returncode == 0:
            return server
        time.sleep(0.02)
    return None


def serve(folder, bin, became):
    if became:
        os.chown(folder, became["user"], became["group"])
    subprocess.run(
        [f"{bin}/initdb", "-D", f"{folder}/data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
        check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd="/", **became)
    with open(f"{folder}/data/pg_hba.conf", "w") as file:
        file.write(LOGINS)
    server, port = None, 0
    for _ in range(5):
        port = port or given.port or free_port()
        server = start(folder, bin, port, became)
        if server:
            break
        port = 0
    if not server:
        sys.exit(open(f"{folder}/log").read())
    try:
        subprocess.run(
            [f"{bin}/psql", "-qX", "-h", folder, "-p", str(port), "-U", "postgres", "-c",
             "create role guarded login password 'open sesame'"], check=True, stdin=subprocess.DEVNULL)

        def crash(*_):
            nonlocal server
            if not server:
                return  # It is about to come back.
            server.kill()
            server.wait()
            server = None
            # Its processes notice that it is gone, each in its time.
            while not server:
                server = start(folder, bin, port, became)
                time.sleep(0.02)

        signal.signal(signal.SIGUSR1, crash)
        print(port, folder, sep="\n", flush=True)
        while os.read(0, 65536):
            pass
    finally:
        # At once: what it holds is thrown away.
        server.send_signal(signal.SIGQUIT)
        server.wait()


if __name__ == "__main__":
    given = arguments(__doc__)
    # Whoever ends the tests ends this too: nothing is left then either.
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(1))
    place = tempfile.mkdtemp(prefix="lookahead-postgresql-", dir="/tmp")
    try:
        serve(place, programs(), user())
    finally:
        shutil.rmtree(place, ignore_errors=True)
