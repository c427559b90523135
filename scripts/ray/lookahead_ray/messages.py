"""What workers, the coordinator and the command say to each other. All of it is pickled by Ray, so it is plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .gate import GateState, Grant
from .rates import Rate

Event = dict[str, Any]
"""A line of `lookahead work` or `lookahead partitions` with a member "event"."""


@dataclass(frozen=True)
class Partition:
    """One partition: its id, and the line that `lookahead partitions` gave for it, which is the order for a worker."""

    id: str
    line: str


@dataclass(frozen=True)
class Ask:
    """A worker wants permits for a host."""

    host: str
    want: int
    rate: Rate | None = None


@dataclass(frozen=True)
class Settled:
    """What became of permits of one grant."""

    host: str
    grant: int
    used: int
    unused: int


@dataclass
class Totals:
    """What one worker has done so far."""

    items: int = 0
    pages: int = 0
    requests: int = 0
    retries: int = 0
    bytes: int = 0
    in_flight: int = 0

    @staticmethod
    def of(event: Event) -> Totals:
        names = ("items", "pages", "requests", "retries", "bytes", "inFlight")
        return Totals(*(int(event.get(name) or 0) for name in names))

    def add(self, other: Totals) -> None:
        self.items += other.items
        self.pages += other.pages
        self.requests += other.requests
        self.retries += other.retries
        self.bytes += other.bytes
        self.in_flight += other.in_flight


@dataclass
class News:
    """What a worker tells the coordinator."""

    asks: list[Ask] = field(default_factory=list)
    settled: list[Settled] = field(default_factory=list)
    pauses: dict[str, float] = field(default_factory=dict)
    """Hosts that asked for so many seconds."""
    totals: Totals | None = None
    """Given with each sign of life of the process."""
    ended: int = 0
    """Partitions that are done or have failed since the last news."""
    events: list[Event] = field(default_factory=list)
    """What the process says of its partitions, where somebody watches."""
    log: list[str] = field(default_factory=list)
    """What the process wrote for people."""
    is_gone: bool = False
    """The process has ended."""


@dataclass
class Orders:
    """What the coordinator tells a worker."""

    incarnation: str
    """Another one means that the coordinator was restarted, and has forgotten what it was told."""
    now: float
    """The coordinator's clock when it was asked for orders."""
    grants: list[Grant] = field(default_factory=list)
    pauses: dict[str, float] = field(default_factory=dict)
    stop: bool = False


@dataclass
class Snapshot:
    """What the coordinator tells the command."""

    incarnation: str
    totals: dict[str, Totals]
    """Of the workers that told something since the last one."""
    silent: dict[str, float]
    """How long the processes at work have given no sign of life, in seconds."""
    pauses: dict[str, float]
    log: list[str]
    left_out: int
    """Lines for people that were too many to pass on."""
    ended: int
    events: list[Event] = field(default_factory=list)
    """What workers said of their partitions, each with the worker's name."""
    gates: list[GateState] = field(default_factory=list)


@dataclass(frozen=True)
class Outcome:
    """How one partition ended in one worker."""

    id: str
    is_done: bool
    items: int = 0
    pages: int = 0
    is_new: bool = True
    code: str = ""
    message: str = ""
    is_passing: bool = False

    @property
    def is_superseded(self) -> bool:
        """Somebody else has begun it again: it is neither done nor failed."""
        return self.code == "superseded"

    @staticmethod
    def of(event: Event) -> Outcome:
        if event["event"] == "done":
            return Outcome(str(event["id"]), True, int(event.get("items") or 0), int(event.get("pages") or 0), bool(event.get("isNew", True)))
        return Outcome(
            str(event["id"]), False, code=str(event.get("code") or ""), message=str(event.get("message") or ""),
            is_passing=bool(event.get("isPassing")),
        )


@dataclass
class BatchResult:
    """How a batch ended in one worker."""

    worker: str
    outcomes: list[Outcome] = field(default_factory=list)
    totals: Totals = field(default_factory=Totals)
    begun: list[str] = field(default_factory=list)
    """Ids that were under way when the process ended before its time."""
    exit_code: int | None = None
    """How the process ended; minus a signal's number; None if it never began."""
    said: str = ""
    """The last that it wrote for people."""
    reason: str = ""
    """Why it ended before its time."""
