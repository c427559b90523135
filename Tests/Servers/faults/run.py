"""What the server remembers of one run: counts, by which the faults fall."""

import asyncio
from collections import Counter, deque


class Run:
    """The requests of one client, told apart by `run=NAME`, so that tests can share a server."""

    def __init__(self):
        self.requests = 0
        self.in_flight = 0
        self.max_in_flight = 0
        self.connections = 0
        self.bytes = 0
        self.paths = Counter()
        self.statuses = Counter()
        self.faults = Counter()
        self._recent = deque()
        self._workers = None

    def begin(self, path):
        """Counts a request; returns its number from 1."""
        self.requests += 1
        self.in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self.in_flight)
        self.paths[path] += 1
        return self.requests

    def end(self):
        self.in_flight -= 1

    def workers(self, count):
        """Those that work on the requests of the run, as a lock."""
        self._workers = self._workers or asyncio.Semaphore(count)
        return self._workers

    def is_over(self, rate, now):
        """Whether this request is beyond `rate` within the last second."""
        while self._recent and self._recent[0] <= now - 1:
            self._recent.popleft()
        if len(self._recent) >= rate:
            return True
        self._recent.append(now)
        return False

    def report(self):
        return {
            "requests": self.requests,
            "in_flight": self.in_flight,
            "max_in_flight": self.max_in_flight,
            "connections": self.connections,
            "bytes": self.bytes,
            "paths": dict(self.paths),
            "statuses": {str(status): count for status, count in self.statuses.items()},
            "faults": dict(self.faults),
        }
