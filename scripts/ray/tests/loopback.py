"""A server of accounts on loopback that logs when each request came, and answers some with 429. It is a process of its own, so that
nothing else delays its clock."""

import asyncio
import json
import multiprocessing
import random
import time
from urllib.parse import parse_qsl, urlsplit

ITEMS = 5


def items(account, page):
    return [{"id": account * 1_000_000 + page * 1000 + number, "account": account, "page": page} for number in range(ITEMS)]


class Server:
    """The server as its tests see it."""

    def __init__(self, seed, pages):
        context = multiprocessing.get_context("fork")
        self._pipe, theirs = context.Pipe()
        self._answered, self._refused = context.Value("i", 0), context.Value("i", 0)
        self._share = context.Value("d", 0.0)
        self._times = context.Array("d", 4_000_000 // 8)
        self._count = context.Value("i", 0)
        self._process = context.Process(target=self._serve, args=(seed, pages, theirs), daemon=True)
        self._process.start()
        self.port = self._pipe.recv()

    @property
    def answered(self):
        """Requests that got their page."""
        return self._answered.value

    @property
    def refused(self):
        """Requests that were answered with 429."""
        return self._refused.value

    def reset(self, share_of_429):
        self._share.value = share_of_429
        self._answered.value = self._refused.value = self._count.value = 0

    def fullest_second(self):
        """The most requests that came within any second."""
        times, first, most = sorted(self._times[: self._count.value]), 0, 0
        for last, moment in enumerate(times):
            while times[first] <= moment - 1:
                first += 1
            most = max(most, last - first + 1)
        return most

    def close(self):
        self._process.kill()
        self._process.join()

    def _serve(self, seed, pages, pipe):
        dice = random.Random(seed)

        async def answer(reader, writer):
            try:
                while head := await reader.readuntil(b"\r\n\r\n"):
                    self._times[self._count.value] = time.monotonic()
                    self._count.value += 1
                    query = dict(parse_qsl(urlsplit(head.split(b" ")[1].decode()).query))
                    await asyncio.sleep(dice.random() * 0.02)
                    if dice.random() < self._share.value:
                        self._refused.value += 1
                        writer.write(b"HTTP/1.1 429 -\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")
                        continue
                    page = int(query["page"])
                    told = {"items": items(int(query["account"]), page), "next": page + 1 if page < pages else None}
                    body = json.dumps(told).encode()
                    self._answered.value += 1
                    writer.write(b"HTTP/1.1 200 -\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            except (asyncio.IncompleteReadError, ConnectionError):
                pass
            finally:
                writer.close()

        async def serve():
            server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=512)
            pipe.send(server.sockets[0].getsockname()[1])
            await server.serve_forever()

        asyncio.run(serve())
