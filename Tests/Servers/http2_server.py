#!/usr/bin/env python3
"""Serves a list of 20,000 items over HTTP/2 and TLS: /items?page=&per_page=, each answer 5 ms after it was asked for. An item says over
which version of HTTP it came. The certificate, which is its own authority, is in the folder for temporary files, as
lookahead-http2-PORT.pem."""

import asyncio
import datetime
import ipaddress
import json
import os
import tempfile
from urllib.parse import parse_qs

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hypercorn.asyncio import serve
from hypercorn.config import Config

from running import announce, arguments, listening

ITEMS = 20_000


def certificate(path):
    """A key and a certificate for 127.0.0.1 in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.timezone.utc)
    signed = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True).sign(key, hashes.SHA256()))
    with open(path, "wb") as file:
        file.write(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        file.write(signed.public_bytes(serialization.Encoding.PEM))


async def application(scope, receive, send):
    if scope["type"] != "http": return
    asked = {name: int(values[0]) for name, values in parse_qs(scope["query_string"].decode()).items()}
    first = (asked["page"] - 1) * asked["per_page"] + 1
    items = [
        {"id": number, "over": scope["http_version"]}
        for number in range(first, min(first + asked["per_page"], ITEMS + 1))]
    await asyncio.sleep(0.005)
    body = json.dumps({"items": items, "total": ITEMS}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


if __name__ == "__main__":
    given = arguments(__doc__)
    accepting = listening(given.port)
    port = accepting.getsockname()[1]
    path = os.path.join(tempfile.gettempdir(), f"lookahead-http2-{port}.pem")
    certificate(path)
    config = Config()
    config.bind, config.certfile, config.keyfile = [f"fd://{accepting.fileno()}"], path, path
    config.h2_max_concurrent_streams, config.loglevel = 128, "error"
    announce(given, port)
    asyncio.run(serve(application, config))
