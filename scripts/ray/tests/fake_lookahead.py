#!/usr/bin/env python3
"""A double of the program that speaks the contract of `partitions`, `work --parts --gate` and `collect`, for tests of the engine's side.

Its script is JSON: {"base": "http://127.0.0.1:PORT", "accounts": N}. What a partition's parameters may say besides: "fail": a code
with which it fails, "die": its process kills itself once it has begun so often, "exit": the process ends with this code.
"""

import ctypes
import http.client
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit


def die_with_parent():
    parent = os.getppid()
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


class Say:
    lock = threading.Lock()

    def __call__(self, **event):
        with self.lock:
            sys.stdout.write(json.dumps(event) + "\n")
            sys.stdout.flush()


say = Say()


class Permits:
    """Permits for one host; each is reported once."""

    def __init__(self, host):
        self.host, self.changed = host, threading.Condition()
        self.held, self.want, self.used, self.unused, self.paused = [], 0, 0, 0, 0.0

    def grant(self, order):
        with self.changed:
            until = order.get("until", time.monotonic() + order["lease"])
            self.held += [until] * order["permits"]
            self.want = max(0, self.want - order["permits"])
            self.changed.notify_all()

    def pause(self, seconds):
        with self.changed:
            self.paused = max(self.paused, time.monotonic() + seconds)

    def take(self):
        """Waits for a permit that is valid now."""
        with self.changed:
            self.want += 1
            self.report()
            while True:
                now = time.monotonic()
                lapsed = sum(until <= now for until in self.held)
                self.held = [until for until in self.held if until > now]
                self.unused += lapsed
                if lapsed:
                    self.want += lapsed
                    self.report()
                if self.held and now >= self.paused:
                    self.held.pop(0)
                    self.used += 1
                    return
                self.changed.wait(0.05)

    def report(self):
        say(event="permits", host=self.host, want=self.want, used=self.used, unused=self.unused)
        self.used = self.unused = 0

    def sent(self):
        with self.changed:
            self.report()


class Worker:
    def __init__(self, script, folder):
        self.base = urlsplit(script["base"]) if script.get("base") else None
        self.folder = Path(folder) / "parts"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.permits = Permits(self.base.netloc if self.base else "none")
        self.totals = dict(items=0, pages=0, requests=0, retries=0, bytes=0, inFlight=0)
        self.failed = self.done = 0

    def order(self, order):
        if "grant" in order:
            self.permits.grant(order["grant"])
        elif "pause" in order:
            self.permits.pause(order["pause"]["seconds"])
        else:
            return order
        return None

    def epochs(self, id):
        return sorted(int(path.name[len(id) + 1 :].split(".")[0]) for path in self.folder.glob(f"{id}.*.ndjson"))

    def claim(self, id):
        while True:
            epoch = max(self.epochs(id), default=0) + 1
            try:
                with open(self.folder / f"{id}.{epoch}.ndjson", "x"):
                    return epoch
            except FileExistsError:
                continue

    def read(self, order):
        id, parameters = order["id"], order["parameters"]
        for path in self.folder.glob(f"{id}.*.done"):
            if path.name == f"{id}.{max(self.epochs(id))}.done":
                done = json.loads(path.read_text())
                return say(event="done", id=id, epoch=done["epoch"], items=done["items"], pages=0, isNew=False)
        epoch = self.claim(id)
        page, rows = 1, ""
        for earlier in reversed(range(1, epoch)):
            state = self.folder / f"{id}.{earlier}.ndjson.state"
            if state.exists():
                page, length = json.loads(state.read_text())
                rows = (self.folder / f"{id}.{earlier}.ndjson").read_text()[:length]
                break
        path = self.folder / f"{id}.{epoch}.ndjson"
        path.write_text(rows)
        # Kept open for as long as it is read, as the program does.
        handle = open(path, "a")
        say(event="started", id=id, epoch=epoch, items=rows.count("\n"))
        if parameters.get("exit"):
            os._exit(parameters["exit"])
        if parameters.get("die", 0) >= epoch:
            os.kill(os.getpid(), signal.SIGKILL)
        if parameters.get("fail"):
            self.failed += 1
            return say(event="failed", id=id, epoch=epoch, code=parameters["fail"], message="as it was told", isPassing=parameters["fail"] == "network")
        pages = 0
        while page and self.base:
            got = self.page(parameters, page)
            if max(self.epochs(id)) != epoch:
                return say(event="failed", id=id, epoch=epoch, code="superseded", message=f"epoch {epoch} is over", isPassing=False)
            more = "".join(json.dumps(item) + "\n" for item in got["items"])
            page, rows = got.get("next"), rows + more
            handle.write(more)
            handle.flush()
            state = self.folder / f"{id}.{epoch}.ndjson.state"
            state.with_suffix(".new").write_text(json.dumps([page, len(rows)]))
            state.with_suffix(".new").replace(state)
            self.totals["items"] += len(got["items"])
            self.totals["pages"] += 1
            pages += 1
        handle.close()
        done = dict(id=id, epoch=epoch, items=rows.count("\n"), file=path.name)
        (self.folder / f"{id}.{epoch}.new").write_text(json.dumps(done))
        os.replace(self.folder / f"{id}.{epoch}.new", self.folder / f"{id}.{epoch}.done")
        self.done += 1
        say(event="done", id=id, epoch=epoch, items=done["items"], pages=pages, isNew=True)

    def page(self, parameters, page):
        while True:
            self.permits.take()
            connection = http.client.HTTPConnection(self.base.hostname, self.base.port)
            connection.connect()
            self.totals["requests"] += 1
            connection.request("GET", f"/items?account={parameters['account']}&page={page}")
            self.permits.sent()
            answer = connection.getresponse()
            body = answer.read()
            connection.close()
            self.totals["bytes"] += len(body)
            if answer.status == 200:
                return json.loads(body)
            self.totals["retries"] += 1
            seconds = float(answer.headers["Retry-After"])
            self.permits.pause(seconds)
            say(event="limited", host=self.permits.host, seconds=seconds)

    def run(self, at_once):
        began, threads, places = time.monotonic(), [], threading.Semaphore(at_once)
        say(event="ready", version=1, pid=os.getpid())

        def progress():
            while True:
                time.sleep(0.3)
                say(event="progress", **self.totals)

        def place(order):
            with places:
                self.read(order)

        threading.Thread(target=progress, daemon=True).start()
        for line in sys.stdin:
            order = self.order(json.loads(line))
            if order:
                threads.append(threading.Thread(target=place, args=[order], daemon=True))
                threads[-1].start()
        for thread in threads:
            thread.join()
        say(event="end", **self.totals, seconds=time.monotonic() - began, partitions=dict(done=self.done, failed=self.failed))
        return 1 if self.failed else 0


def main(command, script, *options):
    die_with_parent()
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    if command == "collect":
        folder = Path(script)
        parts = [json.loads(path.read_text()) for path in (folder / "parts").glob("*.done")]
        for line in (folder / "partitions.ndjson").read_text().splitlines():
            assert any(part["id"] == json.loads(line)["id"] for part in parts), line
        (folder / "manifest.json").write_text(json.dumps({"version": 1, "parts": parts, "items": sum(part["items"] for part in parts)}))
        return 0
    given = json.loads(Path(script).read_text())
    if command == "partitions":
        for number in range(given.get("accounts", 0)):
            print(json.dumps({"id": f"items-{number:016x}", "source": "items", "parameters": {"account": number}}), flush=True)
        for number, more in enumerate(given.get("more", [])):
            print(json.dumps({"id": f"more-{number:016x}", "source": "items", "parameters": more}), flush=True)
        return given.get("exit", 0)
    return Worker(given, options[options.index("-o") + 1]).run(int(options[options.index("--at-once") + 1]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
