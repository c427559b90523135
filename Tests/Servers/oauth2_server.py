#!/usr/bin/env python3
"""Serves a list behind OAuth 2: /NAME/token gives tokens to the client reader with the secret "s3cret+key", or for the refresh
token that counts; /NAME/items?page=&size= takes them. Each NAME counts for itself; /NAME/stats says what happened.

NAME may have settings behind it: /NAME,uses=7,expires=0,shown=1/… ends a token after 7 requests without saying so, says that it
lasts 0 seconds, and answers the token request as a form.
"""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from running import announce, arguments

ITEMS, CLIENT, SECRET = 500, "reader", "s3cret+key"


class Login:
    """The tokens of one name."""

    def __init__(self, settings):
        self.uses = int(settings.get("uses", 10**9))
        self.expires = float(settings.get("expires", 3600))
        self.isForm = "shown" in settings
        self.lock = threading.Lock()
        self.tokens, self.refreshToken = {}, "refresh-token-0"
        self.stats = {"tokens": 0, "refused": 0, "served": 0, "refreshes": 0}

    def issue(self, form, authorization):
        with self.lock:
            if form.get("grant_type") == "refresh_token":
                if form.get("refresh_token") != self.refreshToken:
                    return 400, {"error": "invalid_grant", "error_description": "the refresh token does not count"}
                self.stats["refreshes"] += 1
                self.refreshToken = f"refresh-token-{self.stats['refreshes']}"
                more = {"refresh_token": self.refreshToken}
            else:
                name, _, secret = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
                if (unquote(name), unquote(secret)) != (CLIENT, SECRET):
                    return 401, {"error": "invalid_client"}
                more = {}
            self.stats["tokens"] += 1
            token = f"access-token-{self.stats['tokens']}"
            self.tokens = {token: self.uses}
            return 200, {"access_token": token, "token_type": "bearer", "expires_in": self.expires} | more

    def takes(self, authorization):
        with self.lock:
            token = authorization.removeprefix("Bearer ")
            left = self.tokens.get(token, 0)
            self.tokens[token] = left - 1
            self.stats["served" if left > 0 else "refused"] += 1
            return left > 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    logins, lock = {}, threading.Lock()

    def log_message(self, *arguments):
        pass

    def login(self):
        name = self.path.split("/")[1]
        with self.lock:
            if name not in self.logins:
                self.logins[name] = Login(dict(part.split("=") for part in name.split(",")[1:]))
            return self.logins[name]

    def answer(self, status, body, kind="application/json"):
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        login = self.login()
        form = {name: values[0] for name, values in parse_qs(text).items()}
        status, body = login.issue(form, self.headers.get("Authorization", ""))
        if login.isForm and status == 200:
            return self.answer(200, f"access_token={body['access_token']}".encode(), "text/plain")
        self.answer(status, body)

    def do_GET(self):
        login, url = self.login(), urlsplit(self.path)
        if url.path.endswith("/stats"):
            return self.answer(200, login.stats)
        if not login.takes(self.headers.get("Authorization", "")):
            return self.answer(401, {"error": "invalid_token"})
        query = parse_qs(url.query)
        page, size = int(query["page"][0]), int(query["size"][0])
        numbers = range((page - 1) * size + 1, min(page * size, ITEMS) + 1)
        self.answer(200, {"items": [{"id": n} for n in numbers], "total": ITEMS})


if __name__ == "__main__":
    given = arguments(__doc__)
    server = ThreadingHTTPServer(("127.0.0.1", given.port), Handler)
    announce(given, server.server_port)
    server.serve_forever()
