#!/usr/bin/env python3
"""Serves the answers of a case from a file: answer_server.py CASE.json. The first line of output is the port.

`answers` has them by what is asked: a query, decoded, or the JSON of a body with sorted names, or the query of such a request
behind a question mark; "" is the bare list. Parameters
that no answer knows are overlooked. "*" answers what has none but those: with 404 unless said, or as the bare list where it
is "same". An answer has `body` (JSON) or `text`, and may have `headers` and `status`. Of a list of answers each request gets
the next one, and the last one stays.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

with open(sys.argv[1], encoding="utf-8") as file:
    answers = json.load(file)["answers"]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def query(self):
        return {f"{name}={value}" for name, value in parse_qsl(self.path.partition("?")[2], keep_blank_values=True)}

    def do_GET(self):
        asked = self.query()
        known = [key for key in answers if key and key != "*" and set(key.split("&")) <= asked]
        self.answer(max(known, key=len) if known else "*" if asked else "")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        asked = self.query()
        known = [key for key in answers if key[:1] == "?" and set(key[1:].split("&")) <= asked]
        self.answer(max(known, key=len) if known else json.dumps(body, sort_keys=True))

    def answer(self, asked):
        found = answers.get(asked) or answers.get("*", {"status": 404, "body": {"error": "nothing"}})
        if found == "same":
            found = answers[""]
        if isinstance(found, list):
            found = found.pop(0) if len(found) > 1 else found[0]
        data = found["text"].encode() if "text" in found else json.dumps(found["body"]).encode()
        self.send_response(found.get("status", 200))
        for name, value in found.get("headers", {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        sys.stderr.write(self.path + "\n")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
