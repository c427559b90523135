#!/usr/bin/env python3
"""Has a PostgreSQL go away while a run writes to it, and compares the rows in the end with those of an undisturbed run.

away.py --lookahead PATH [--seed N] [--ways restart,cut,…] prints a line for each way, and ends with 1 if any table differs. Between
the run and the server is a proxy, which cuts connections, refuses new ones for a while, or lets a commit through and not its answer.
"""

import argparse
import random
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from kills import HEAD, LARGE, PAGED, Server
from postgresql import PostgreSQL

# A list that is written in many transactions, and one whose first transaction is all there is.
KINDS = {"large": HEAD + LARGE % ("", "items", "things"), "small": HEAD + PAGED % ("", "items", "things")}
WAYS = ["restart", "cut", "before commit", "behind commit", "gone"]


class Proxy:
    """Lets connections through to a port, until it is told otherwise."""

    def __init__(self, port):
        self.port, self.isAway, self.pairs, self.lock = port, False, [], threading.Lock()
        self.onCommit, self.cuts, self.bytes = None, 0, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.own = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            if self.isAway:
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                client.close()
                continue
            with self.lock:
                self.pairs.append((client, server))
            threading.Thread(target=self.forward, args=(client, server), daemon=True).start()

    def forward(self, client, server):
        try:
            isMute = False
            while True:
                for source in select.select([client, server], [], [])[0]:
                    data = source.recv(65536)
                    if not data:
                        raise OSError
                    self.bytes += len(data)
                    if source is client and b"COMMIT" in data and self.onCommit:
                        way, self.onCommit = self.onCommit, None
                        if way == "before commit":
                            raise OSError
                        isMute = True
                    if source is server and isMute:
                        self.cuts += 1
                        raise OSError
                    (server if source is client else client).sendall(data)
        except OSError:
            pass
        finally:
            for end in (client, server):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                end.close()

    def cut(self):
        with self.lock:
            pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lookahead", default="lookahead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ways", default=",".join(WAYS))
    given = parser.parse_args()
    lookahead = str(Path(given.lookahead).resolve()) if "/" in given.lookahead else given.lookahead
    server, database, dice, differ = Server(given.seed), PostgreSQL(), random.Random(given.seed), 0
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    proxy = Proxy(database.port)

    def run(folder, port, **more):
        """A run into the database of a folder, by a port."""
        url = database.url(folder).replace(f":{database.port}/", f":{port}/")
        base = f"http://127.0.0.1:{server.server_port}/v1"
        return subprocess.Popen(
            [lookahead, "run", "things.lua", "-o", url, "-e", f"base={base}", "--allow-net", "--quiet"], cwd=folder,
            stderr=subprocess.PIPE, text=True, **more)

    def rows(folder):
        return {table: (columns, sorted(ask(f'select t.* from "{table}" t')))
                for table, (columns, ask) in database.tables(folder).items()}

    def disturb(way, process, span):
        # A server that is away as a run begins ends it: that is another matter.
        asked, pages, patience = server.requests, dice.randint(1, 6), 1
        while process.poll() is None and server.requests < asked + pages:
            time.sleep(0.002)
        if way in ("before commit", "behind commit"):
            # Each commit now and then, the first one in any case; ever less often, as on a slow machine no other would come.
            while process.poll() is None:
                proxy.onCommit = way
                time.sleep(0.02 + dice.random() * 0.3 * patience)
                patience *= 1.05
            proxy.onCommit = None
        elif way == "cut":
            while process.poll() is None:
                proxy.cut()
                time.sleep((0.05 + dice.random() * span / 3) * patience)
                patience *= 1.05
        else:
            proxy.isAway = True
            if way == "restart":
                database.crash()
            proxy.cut()
            if way == "restart":
                time.sleep(2)
                proxy.isAway = False

    with tempfile.TemporaryDirectory() as scratch:
        for kind, script in KINDS.items():
            folder = Path(scratch) / kind
            folder.mkdir()
            (folder / "things.lua").write_text(script)
            began = time.monotonic()
            quiet = run(folder, database.port)
            if quiet.wait():
                sys.exit(quiet.stderr.read())
            span, wanted = time.monotonic() - began, rows(folder)
            for way in given.ways.split(","):
                # That a server never comes back takes half a minute.
                if way == "gone" and kind == "small":
                    continue
                here = Path(scratch) / f"{kind} {way}"
                here.mkdir()
                (here / "things.lua").write_text(script)
                codes, said = [], ""
                while not codes or codes[-1] == 75 and len(codes) < 50:
                    process = run(here, proxy.own)
                    if way != "gone, and back":
                        disturb(way, process, span)
                    said = process.communicate()[1]
                    codes.append(process.returncode)
                    proxy.isAway = False
                    if way == "gone":
                        way = "gone, and back"
                isEqual = codes[-1] == 0 and rows(here) == wanted and (way != "gone, and back" or codes[0] == 75)
                differ += not isEqual
                print(f"{kind}, {way}: {'equal' if isEqual else 'different'}, exits {codes}, answers kept back: {proxy.cuts}", flush=True)
                if not isEqual:
                    print(said, file=sys.stderr)
    database.process.stdin.close()
    database.process.wait()
    server.shutdown()
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
