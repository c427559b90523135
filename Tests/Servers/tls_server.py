#!/usr/bin/env python3
"""Serves over TLS and HTTP/1.1 what can't be told from a good answer by what is decrypted of it. /list?page=&fault= has 15 pages of ten
items; where `fault` is `twice` or `behind`, the answer of page 5 comes twice: as two answers, or the second behind the body of the first.
/open?end= is a body that only the end of the connection ends: as TLS has it (`told`), or not (`cut`). A CONNECT to 407.example is answered
with status 407, and so on. The certificate, which is its own authority, is in the folder for temporary files, as lookahead-tls-PORT.pem."""

import json
import os
import socket
import ssl
import tempfile
import threading
from urllib.parse import parse_qsl, urlsplit

from http2_server import certificate
from running import announce, arguments, listening


def answer(body):
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def send_as(connection, *records):
    """Sends pieces that are encrypted each by itself, and come together."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
    for record in records: connection.sendall(record)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 0)


def send_page(connection, page, fault):
    items = [{"id": number} for number in range(page * 10 - 9, page * 10 + 1)] if page <= 15 else []
    whole = answer(json.dumps({"items": items}).encode())
    head, body = whole[:whole.index(b"{")], whole[whole.index(b"{"):]
    if page != 5: connection.sendall(whole)
    elif fault == "twice": send_as(connection, whole, whole)
    elif fault == "behind": send_as(connection, head, body + whole)
    else: connection.sendall(whole)


def send_open(connection, end):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n\r\nid\n1\n2\n")
    if end == "told":
        try: connection.unwrap()
        except OSError: pass
    else:
        with socket.socket(fileno=os.dup(connection.fileno())) as bare: bare.shutdown(socket.SHUT_RDWR)


def requests(connection):
    """The lines of requests, without bodies, as they come."""
    received = b""
    while True:
        while b"\r\n\r\n" not in received:
            more = connection.recv(65536)
            if not more: return
            received += more
        head, received = received.split(b"\r\n\r\n", 1)
        yield head.split(b"\r\n")[0].decode()


def serve(connection, context):
    with connection:
        if connection.recv(1, socket.MSG_PEEK) == b"C":
            for line in requests(connection):
                status = line.split()[1].split(".")[0]
                connection.sendall(f"HTTP/1.1 {status} No\r\nContent-Length: 0\r\n\r\n".encode())
            return
        with context.wrap_socket(connection, server_side=True) as encrypted:
            for line in requests(encrypted):
                target = urlsplit(line.split()[1])
                asked = dict(parse_qsl(target.query))
                if target.path == "/open": return send_open(encrypted, asked["end"])
                send_page(encrypted, int(asked["page"]), asked.get("fault"))


def served(connection, context):
    try: serve(connection, context)
    except OSError: pass


if __name__ == "__main__":
    given = arguments(__doc__)
    accepting = listening(given.port)
    port = accepting.getsockname()[1]
    path = os.path.join(tempfile.gettempdir(), f"lookahead-tls-{port}.pem")
    certificate(path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    context.set_alpn_protocols(["http/1.1"])
    announce(given, port)
    while True:
        connection, _ = accepting.accept()
        threading.Thread(target=served, args=(connection, context), daemon=True).start()
