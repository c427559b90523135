"""What is measured: cases, and in each the contenders that do the same work."""
import os, shutil
from dataclasses import dataclass, field
from typing import Callable, Optional


@dataclass
class Sample:
    """One run: its figures by name, or why it counts for nothing. `digest` names its output, byte for byte."""
    values: dict = field(default_factory=dict)
    wrong: Optional[str] = None
    digest: Optional[str] = None


@dataclass
class Goal:
    """A limit for a figure: the figure itself, or how many times that of another contender it may be.

    `value`, if given, makes the figure of all results of the case; `inverse` turns a ratio round (a speed-up)."""
    measure: str
    limit: float
    against: Optional[str] = None
    text: str = ""
    at_least: bool = False
    inverse: bool = False
    value: Optional[Callable] = None

    def holds(self, figure):
        return figure >= self.limit if self.at_least else figure <= self.limit


@dataclass
class Contender:
    """Somebody who does the work of a case. `measure(work)` runs it once and gives a Sample.

    `needs`: files and programs without which it is left out. `same`: outputs of one such word have to be equal, byte for byte.
    `against`: whose figures its own are divided by. `slow`: one round is enough, and `--fast` leaves it out. `fixed`: ours, but no run of
    the program, so that another build of it changes nothing."""
    name: str
    measure: Callable
    ours: bool = False
    needs: tuple = ()
    same: Optional[str] = None
    against: Optional[str] = None
    goals: tuple = ()
    slow: bool = False
    fixed: bool = False

    def missing(self):
        """What is not there, or nothing."""
        return [need for need in self.needs if not (os.path.exists(need) or shutil.which(need))]


@dataclass
class Case:
    """Work that all contenders do. `measures`: the columns; the first is the one that ratios are made of.

    `enter()` gives a context manager around all rounds, such as a server; its value is `work.world`."""
    name: str
    title: str
    contenders: list
    measures: tuple = ("wall", "cpu", "rss")
    rounds: int = 5
    enter: Optional[Callable] = None
    against: Optional[str] = None
    note: str = ""
    readme: tuple = ()
