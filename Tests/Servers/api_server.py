#!/usr/bin/env python3
"""Serves lists as the paging conventions of named, public APIs have them, each written from its documentation.

The first line of output is the port. http://127.0.0.1:PORT/NAME/SETTINGS/PATH?QUERY asks the convention NAME, where
SETTINGS are segments such as items=57/cap=10/total=hidden/end=404, which `Settings` explains. --list names the
conventions and their sources.
"""

import argparse
import json
import os
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from apis import conventions
from apis.call import Call, Refusal, Reply, Settings


class Handler(BaseHTTPRequestHandler):
    """One connection of a client."""

    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    disable_nagle_algorithm = True

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            reply = self.reply(body)
        except Refusal as refusal:
            reply = Reply(refusal.body, status=refusal.status)
        content = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        data = content.encode()
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in reply.headers.items():
            for line in value if isinstance(value, list) else [value]:
                self.send_header(name, line)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    do_GET = do_POST = do_HEAD = answer

    def reply(self, body):
        path, _, query = self.path.partition("?")
        name, *segments = path.strip("/").split("/")
        if name not in conventions:
            raise Refusal(404, {"error": f"there is no convention {name}"})
        settings, prefix = Settings(), "/" + name
        while segments and "=" in segments[0]:
            prefix += "/" + segments[0]
            settings.set(*segments.pop(0).split("=", 1))
        run = self.server.run(prefix)
        run.requests += 1
        if settings.most and run.requests > settings.most:
            raise Refusal(403, {"error": f"more than {settings.most} requests"})
        if settings.end == "stuck" and run.reply:
            return run.reply
        root = f"http://{self.headers.get('Host', '')}{prefix}"
        call = Call(self.command, root, "/".join(segments), query, self.headers, body, settings)
        answer = conventions[name].answer(call)
        run.reply = answer if isinstance(answer, Reply) else Reply(answer)
        return run.reply

    def log_message(self, *_):
        pass


@dataclass
class Run:
    """What was asked with the same settings."""

    requests: int = 0
    reply: Reply | None = None


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.runs = {}

    def run(self, prefix):
        return self.runs.setdefault(prefix, Run())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="where to listen on 127.0.0.1; 0 finds a free one")
    parser.add_argument("--follow-stdin", action="store_true", help="end when standard input does")
    parser.add_argument("--list", action="store_true", help="print the conventions as JSON and end")
    given = parser.parse_args()
    if given.list:
        print(json.dumps([convention.described() for convention in conventions.values()], indent=1))
        return
    server = Server(("127.0.0.1", given.port), Handler)
    print(server.server_address[1], flush=True)
    if not given.follow_stdin:
        server.serve_forever()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while os.read(0, 65536):
        pass


if __name__ == "__main__":
    main()
