"""HTTP/1.1 by hand, so that answers can be broken in every way."""

import asyncio
import gzip
import socket
import struct
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote, urlsplit


@dataclass
class Request:
    method: str
    path: str
    target: str
    query: dict
    headers: dict
    body: bytes

    @property
    def accepts_gzip(self):
        return "gzip" in self.headers.get("accept-encoding", "")


@dataclass
class Answer:
    status: int = 200
    body: bytes = b""
    headers: dict = field(default_factory=dict)


async def read_request(reader):
    """The next request of a connection; None at its end."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    lines = head.decode("latin-1").split("\r\n")
    method, target, _version = lines[0].split(" ", 2)
    headers = {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if colon:
            headers[name.strip().lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    parts = urlsplit(target)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    return Request(method, unquote(parts.path), target, query, headers, body)


def compressed(request, answer):
    """The answer, with its body packed where the client takes it and it pays."""
    if not request.accepts_gzip or len(answer.body) < 256:
        return answer
    headers = answer.headers | {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Answer(answer.status, gzip.compress(answer.body, 1, mtime=0), headers)


def head(answer, **further):
    """Status line and headers."""
    headers = {"Content-Type": "application/json"} | answer.headers | {
        name.replace("_", "-"): value for name, value in further.items()
    }
    lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def send(writer, request, answer, bytes_per_second=0):
    """A whole answer, dripping when a speed is given."""
    body = b"" if request.method == "HEAD" else answer.body
    writer.write(head(answer, Content_Length=len(answer.body)))
    piece = max(1, bytes_per_second // 10) if bytes_per_second else max(1, len(body))
    for start in range(0, len(body), piece):
        writer.write(body[start : start + piece])
        await writer.drain()
        if bytes_per_second:
            await asyncio.sleep(0.1)
    await writer.drain()


async def send_half(writer, answer):
    """Half of the body that Content-Length promises."""
    writer.write(head(answer, Content_Length=len(answer.body)) + answer.body[: len(answer.body) // 2])
    await writer.drain()


async def send_half_chunked(writer, answer):
    """Half of the body as one chunk, and no last chunk."""
    half = answer.body[: len(answer.body) // 2]
    writer.write(head(answer, Transfer_Encoding="chunked") + b"%x\r\n%s\r\n" % (len(half), half))
    await writer.drain()


def reset(writer):
    """Ends a connection with RST instead of FIN."""
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()
