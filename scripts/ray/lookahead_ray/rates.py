"""Requests per time, as `10/s` on a command line or `{"requests": 10, "per": 1}` in a worker's events."""

from __future__ import annotations

from dataclasses import dataclass

UNITS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


@dataclass(frozen=True)
class Rate:
    """At most `requests` in any `per` seconds."""

    requests: int
    per: float

    @staticmethod
    def parse(text: str) -> Rate:
        """The rate that `10/s`, `600/m` or `5000/h` says; raises ValueError, with what was expected."""
        number, _, unit = text.partition("/")
        requests = float(number) if number.replace(".", "", 1).isdigit() else 0
        if unit not in UNITS or not 1e-6 <= requests <= 1e9:
            raise ValueError(f"expected requests per time, as 10/s, got '{text}'")
        return Rate.of(requests, UNITS[unit])

    @staticmethod
    def of(requests: float, per: float) -> Rate:
        """A rate of whole requests: half a request a second is one in two."""
        return Rate(int(requests), per) if requests == int(requests) else Rate(max(1, int(requests)), per * max(1, int(requests)) / requests)

    @property
    def in_short(self) -> Rate:
        """The same rate over the shortest window of a second or more that whole requests fill.

        Where every such window holds its share, every `per` seconds hold `requests`, since `per` is a whole number of them; and
        the shorter the window, the sooner a gate that has forgotten everything may open again.
        """
        for parts in range(max(1, int(self.per)), 0, -1):
            if self.requests % parts == 0:
                return Rate(self.requests // parts, self.per / parts)
        return self

    @property
    def a_second(self) -> float:
        return self.requests / self.per
