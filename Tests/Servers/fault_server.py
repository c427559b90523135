#!/usr/bin/env python3
"""Serves a deterministic data set over HTTP, with the faults that paging clients meet.

The first line of output is the port. Faults are set for all requests by --fault NAME=VALUE, for one by its query, and
for a client by its base URL: http://127.0.0.1:PORT/every_429=7/run=a/items?page=2 has two segments that are settings.
Faults fall by the count of requests to data, so equal runs meet equal faults; run=NAME counts on its own.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import threading
from copy import copy
from dataclasses import dataclass, field, fields
from time import monotonic

from faults import lists, routes, wire
from faults.items import mixed
from faults.options import Faults, described, falls_on
from faults.run import Run

PATHS = """paths:
  /items?page=&per_page=      items, page, per_page, pages, total
  /items?offset=&limit=       items, offset, limit, total, has_more
  /items?cursor=&per_page=    items, total, next_cursor, next_url; an empty cursor is the first page
  /items?after_id=&limit=     items, has_more; by ascending id, an empty one is the first page
  /list?page=&per_page=       a plain array; the Link header has first, prev, next, last
  /items/ID                   one item with its details
  /groups, /groups/G/items    parents and their children, paged as /items
  /echo                       what was asked: method, target, query, headers, body
  /stats, /reset              counts of a run as JSON; start them again
"""


@dataclass
class Connection:
    """One connection of a client, and the runs that have used it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    runs: set = field(default_factory=set)


class Server:
    """Tells runs apart, and breaks what `routes` answers."""

    def __init__(self, faults):
        self.faults = faults
        self.runs = {}

    def settings(self, request):
        """The faults of a request, the name of its run, and the rest of its path; ValueError for what is none."""
        faults, run, rest, prefix = copy(self.faults), "", [], ""
        names = {f.name for f in fields(Faults)}
        for segment in request.path.strip("/").split("/"):
            name, equals, value = segment.partition("=")
            if not equals or rest:
                rest.append(segment)
                continue
            prefix += "/" + segment
            if name == "run":
                run = value
            else:
                faults.set(name, value)
        for name, value in request.query.items():
            if name == "run":
                run = value
            elif name in names:
                faults.set(name, value)
        return faults, run, rest, prefix

    async def serve(self, reader, writer):
        connection = Connection(reader, writer)
        try:
            while (request := await wire.read_request(reader)) and await self.respond(request, connection):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError, ValueError):
            pass
        finally:
            writer.close()

    async def respond(self, request, connection):
        """Answers one request; whether the connection goes on."""
        try:
            faults, name, segments, prefix = self.settings(request)
        except ValueError as error:
            return await self.plain(connection, request, routes.refusal(400, self.faults, str(error)))
        if segments == ["reset"]:
            self.runs.pop(name, None)
            return await self.plain(connection, request, wire.Answer(200, b"{}"))
        run = self.runs.setdefault(name, Run())
        if segments == ["stats"]:
            return await self.plain(connection, request, wire.Answer(200, json.dumps(run.report()).encode()))
        if name not in connection.runs:
            connection.runs.add(name)
            run.connections += 1
        number = run.begin("/" + "/".join(segments))
        try:
            if faults.most_at_once and run.in_flight > faults.most_at_once:
                run.statuses[429] += 1
                headers = routes.retry_headers(faults)
                return await self.plain(
                    connection, request, routes.refusal(429, faults, "too many at once", headers))
            delay = faults.latency_ms + (mixed(number) % (faults.jitter_ms + 1) if faults.jitter_ms else 0)
            if delay:
                async with run.workers(faults.workers) if faults.workers else contextlib.nullcontext():
                    await asyncio.sleep(delay / 1000)
            address = f"http://{request.headers.get('host', '')}{prefix}/{'/'.join(segments)}"
            return await self.deliver(request, connection, run, number, faults, segments, address)
        finally:
            run.end()

    async def plain(self, connection, request, answer):
        await wire.send(connection.writer, request, answer)
        return True

    def answer(self, request, run, number, faults, segments, address):
        """What the request is answered with, before faults of the connection."""
        host, _, port = request.headers.get("host", "").partition(":")
        if faults.status:
            return routes.refusal(faults.status, faults, f"always {faults.status}")
        if faults.token and request.headers.get("authorization") != f"Bearer {faults.token}":
            return routes.refusal(401, faults, "a bearer token is missing or wrong", {"WWW-Authenticate": "Bearer"})
        if faults.redirect_to and host != faults.redirect_to:
            return wire.Answer(302, headers={"Location": f"http://{faults.redirect_to}:{port}{request.target}"})
        if falls_on(number, faults.redirect):
            return wire.Answer(302, headers={"Location": request.target})
        if falls_on(number, faults.lost_redirect):
            return wire.Answer(301, b"{}")
        if falls_on(number, faults.no_body):
            return wire.Answer(200)
        if falls_on(number, faults.html):
            return wire.Answer(200, b"<!DOCTYPE html>\n<title>Sign in</title>\n", {"Content-Type": "text/html"})
        if faults.rate_limit and run.is_over(faults.rate_limit, monotonic()):
            return routes.refusal(429, faults, "over the rate limit", routes.retry_headers(faults))
        for status, every in ((429, faults.every_429), (503, faults.every_503)):
            if falls_on(number, every):
                return routes.refusal(status, faults, "try again", routes.retry_headers(faults))
        try:
            return routes.answer(request, segments, faults, number - 1, address)
        except lists.BadRequest as error:
            return routes.refusal(400, faults, str(error))
        except LookupError as error:
            return routes.refusal(404, faults, str(error))

    async def deliver(self, request, connection, run, number, faults, segments, address):
        """Sends the answer, or breaks it; whether the connection goes on."""
        if number == faults.hang:
            run.faults["hang"] += 1
            await connection.reader.read()
            return False
        if falls_on(number, faults.reset):
            run.faults["reset"] += 1
            wire.reset(connection.writer)
            return False
        answer = self.answer(request, run, number, faults, segments, address)
        if falls_on(number, faults.bad_json) and answer.status == 200:
            run.faults["bad_json"] += 1
            answer.body = answer.body[: len(answer.body) // 2] + b"<html>Bad gateway</html>"
        if not faults.no_gzip:
            answer = wire.compressed(request, answer)
        if falls_on(number, faults.cut_gzip) and "Content-Encoding" in answer.headers:
            run.faults["cut_gzip"] += 1
            answer.body = answer.body[: len(answer.body) // 2]
        run.statuses[answer.status] += 1
        run.bytes += len(answer.body)
        for name, send in (("cut", wire.send_half), ("cut_chunked", wire.send_half_chunked)):
            if falls_on(number, getattr(faults, name)):
                run.faults[name] += 1
                await send(connection.writer, answer)
                return False
        await wire.send(connection.writer, request, answer, faults.slow)
        return not falls_on(number, faults.close)


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=PATHS + "\nfaults:\n" + described(),
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="where to listen on 127.0.0.1; 0 finds a free one")
    parser.add_argument("--fault", action="append", default=[], metavar="NAME=VALUE", help="a fault for all requests")
    parser.add_argument("--follow-stdin", action="store_true", help="end when standard input does")
    given = parser.parse_args()
    faults = Faults()
    for text in given.fault:
        name, _, value = text.partition("=")
        try:
            faults.set(name, value)
        except ValueError as error:
            parser.error(f"--fault: {error}")
    return given, faults


def follow_stdin(loop, over):
    while os.read(0, 65536):
        pass
    loop.call_soon_threadsafe(over.set)


async def main():
    given, faults = arguments()
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, over.set)
    if given.follow_stdin:
        threading.Thread(target=follow_stdin, args=(loop, over), daemon=True).start()
    server = await asyncio.start_server(Server(faults).serve, "127.0.0.1", given.port, limit=2**20, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await over.wait()
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
