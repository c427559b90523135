"""The command line of `lookahead-ray run`: its own options, and those of `lookahead run` that go on to the processes."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .rates import Rate

EXAMPLES = """\
examples:
  lookahead-ray run feed.lua -o all/ --allow-net=example.com --rate 10/s
  lookahead-ray run feed.lua -o all.db -e days=30 --allow-net --address auto --workers 64

Other options of lookahead run go on to the processes that read. Each of them is a Ray task of one CPU; SCRIPT, the output
and what the script reads have the same path on all nodes, and lookahead and this package are installed there.

exit codes: those of lookahead run
"""


@dataclass(frozen=True)
class Passed:
    """An option of `lookahead run` that goes on: how it is written, and to which commands."""

    names: tuple[str, ...]
    value: str = "one"
    """one, none, or optional: only after an =."""
    to: str = "partitions work"


PASSED = [
    Passed(("-e", "--param")), Passed(("--params-file",)), Passed(("--secret",)), Passed(("--source",), to="partitions"),
    Passed(("--allow-net",), "optional"), Passed(("--allow-read",), "optional"), Passed(("--allow-write",), "optional"),
    Passed(("--allow-env",), "optional"), Passed(("-A", "--allow-all"), "none"), Passed(("--deny-net",)),
    Passed(("--deny-read",)), Passed(("--deny-write",)), Passed(("--deny-env",)),
    Passed(("-j", "--concurrency")), Passed(("--timeout",)), Passed(("--retries",)), Passed(("--retry-max-wait",)),
    Passed(("--log-level",)), Passed(("--log-format",)), Passed(("--log-times",), "none"),
    Passed(("--max-memory",), to="work"), Passed(("--max-cpu",), to="work"), Passed(("--max-body",), to="work"),
    Passed(("--shard",), to="partitions"), Passed(("--format",), to="collect"),
]
"""What goes on; the tests compare it with the program's help."""

REFUSED = {
    "--limit": "a part is whole or it is not",
    "--max-pages": "a part is whole or it is not",
    "--since": "lookahead run has it",
    "--until": "lookahead run has it",
    "--write": "parts are written anew; collect brings them together",
    "--tag": "parts are a file for each partition, and collect keeps streams apart",
    "--csv-safe": "parts are NDJSON",
    "--refresh": "run it again for the next reading",
    "--refreshes": "run it again for the next reading",
    "--jobs": "processes are --workers; several threads in each are not worth it",
    "--dry-run": "lookahead run has it",
    "--preview": "lookahead run has it",
    "--help-script": "lookahead run has it",
    "--record": "lookahead run has it",
    "--replay": "lookahead run has it",
    "--trace": "lookahead work has it: the command of one partition can be run by itself",
    "--no-state": "without state nothing could be handed out again",
    "--state": "the state is in the folder of the parts",
    "--changes": "parts are items",
    "--append": "parts are written anew; collect brings them together",
    "--adopt": "parts are files of their own",
    "--types": "parts are NDJSON",
    "--compress": "parts are plain NDJSON",
    "--otlp": "lookahead run has it: a collector is told by one process",
}
"""Options of `lookahead run` that mean nothing here, with the reason."""


class UsageError(Exception):
    """The command line is wrong."""


@dataclass(frozen=True)
class Options:
    """A command line that has been understood."""

    script: str
    folder: Path
    """Where the parts are."""
    collected: str | None
    """The file or folder into which they are brought at the end, if not where they are."""
    passed: dict[str, list[str]] = field(default_factory=dict)
    """For each command its arguments."""
    address: str | None = None
    workers: int | None = None
    rate: Rate | None = None
    rate_text: str | None = None
    lookahead: str = "lookahead"
    at_once: int = 8
    silence: float = 30
    is_fresh: bool = False
    is_quiet: bool = False
    progress: str = "auto"
    summary: str | None = None
    listen: str | None = None
    report: str | None = None

    @property
    def partitions_command(self) -> list[str]:
        """Lists the partitions."""
        return [self.lookahead, "partitions", self.script, *self._rate, *self.passed.get("partitions", [])]

    @property
    def work_command(self) -> list[str]:
        """Reads partitions."""
        return [
            self.lookahead, "work", self.script, "-o", f"{self.folder}/", "--parts", "--gate", "--at-once", str(self.at_once),
            *self._rate, *self._level, *self.passed.get("work", []),
        ]

    @property
    def collect_command(self) -> list[str]:
        """Brings the parts together."""
        output = ["-o", self.collected, *self.passed.get("collect", [])] if self.collected else []
        return [self.lookahead, "collect", f"{self.folder}/", *output]

    @property
    def watch_command(self) -> list[str] | None:
        """Shows the page of the run; none was asked for if it is None."""
        asked = [word for name, value in (("--listen", self.listen), ("--report", self.report)) if value for word in (name, value)]
        work = self.passed.get("work", [])
        secrets = [
            part for at, word in enumerate(work) if word.partition("=")[0] == "--secret"
            for part in ([word] if "=" in word else work[at:at + 2])
        ]
        return [self.lookahead, "watch", self.script, *asked, *secrets] if asked else None

    def again(self, line: str) -> str:
        """The command that reads just one partition again, for a shell; a secret that was given as a value is left out."""
        work = [word for word in self.work_command if word != "--gate"]
        shown = [
            f"{word.partition('=')[0]}=…" if work[at - 1] == "--secret" and not _is_reference(word) else word for at, word in enumerate(work)
        ]
        return f"{shlex.join(['echo', line])} | {shlex.join(shown)}"

    @property
    def _level(self) -> list[str]:
        """A line for each partition that goes on would be too many."""
        return [] if any(word.startswith("--log-level") for word in self.passed.get("work", [])) else ["--log-level", "warn"]

    @property
    def _rate(self) -> list[str]:
        return ["--rate", self.rate_text] if self.rate_text else []


def parse(arguments: Sequence[str]) -> Options:
    """Understands a command line; raises UsageError, or SystemExit for --help."""
    own, passed = _split(arguments)
    given = _parser().parse_args(own)
    try:
        rate = Rate.parse(given.rate) if given.rate else None
    except ValueError as error:
        raise UsageError(f"--rate: {error}") from None
    if given.output == "-":
        raise UsageError("-o -: expected a folder or a file, since rows go from each process to the disk")
    is_folder = given.output.endswith("/") or Path(given.output).is_dir()
    folder = Path(given.output if is_folder else given.output + ".parts").absolute()
    if is_folder and passed["collect"]:
        raise UsageError(f"{passed['collect'][0]}: expected a file to bring the parts together in, as -o all.csv; parts are NDJSON")
    program = given.lookahead or os.environ.get("LOOKAHEAD") or "lookahead"
    return Options(
        script=str(Path(given.script).absolute()), folder=folder,
        collected=None if is_folder else str(Path(given.output).absolute()), passed=passed, address=given.address,
        workers=given.workers, rate=rate, rate_text=given.rate, lookahead=str(Path(program).absolute()) if "/" in program else program,
        at_once=given.at_once, silence=given.silence, is_fresh=given.fresh, is_quiet=given.quiet, progress=given.progress, summary=given.summary,
        listen=given.listen, report=given.report,
    )


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        raise UsageError(message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="lookahead-ray", description="Reads the partitions of a script on all machines of a Ray cluster.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser(
        "run", help="read all partitions of a script", epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    run.add_argument("script", metavar="SCRIPT")
    run.add_argument("-o", "--output", required=True, metavar="PATH", help="a folder of parts (ends in /), or a file in which they are brought together")
    run.add_argument("--address", metavar="ADDRESS", help="a Ray cluster: auto, or HOST:PORT; without it one on this machine, for this run")
    run.add_argument("--workers", type=_count, metavar="N", help="processes at a time (default: the CPUs of the cluster)")
    run.add_argument("--rate", metavar="RATE", help="requests per time for each host over all processes, as 10/s")
    run.add_argument("--at-once", type=_count, default=8, metavar="N", help="partitions that one process reads at a time (default: 8)")
    run.add_argument("--silence", type=_span, default=30.0, metavar="TIME", help="after this long without a sign of life, others read what a process had (default: 30s)")
    run.add_argument("--fresh", action="store_true", help="begin anew where a run that was stopped could go on")
    run.add_argument("--progress", choices=["auto", "always", "never"], default="auto", help="when to show progress: a line at the foot of a terminal, else one every five seconds")
    run.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")
    run.add_argument("--summary", metavar="FILE", help="write the totals as JSON to this file; - is standard output")
    run.add_argument("--listen", metavar="ADDRESS", help="serve a live page of the run here, with metrics, as 127.0.0.1:8090; port 0 is any free one")
    run.add_argument("--report", metavar="FILE", help="write that page as one HTML file when the run has ended")
    run.add_argument("--lookahead", metavar="PROGRAM", help="the program (default: lookahead, or what the variable LOOKAHEAD says)")
    return parser


def _split(arguments: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Takes out what goes on to processes."""
    own: list[str] = []
    passed: dict[str, list[str]] = {"partitions": [], "work": [], "collect": []}
    words = iter(arguments)
    for word in words:
        name, equals, _ = word.partition("=")
        if name in REFUSED:
            raise UsageError(f"{name} can't be used here: {REFUSED[name]}")
        option = next((option for option in PASSED if name in option.names or word[:2] in option.names and word[1:2] != "-"), None)
        if option is None:
            own.append(word)
            continue
        taken = [word]
        if option.value == "one" and not equals and name in option.names or word in ("-e", "-j"):
            taken.append(_next(words, word))
        for command in option.to.split():
            passed[command] += taken
    return own, passed


def _next(words: Iterator[str], name: str) -> str:
    value = next(words, None)
    if value is None:
        raise UsageError(f"{name}: expected a value")
    return value


def _is_reference(secret: str) -> bool:
    value = secret.partition("=")[2]
    return value.startswith(("@", "env:"))


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, got '{text}'")
    return int(text)


def _span(text: str) -> float:
    number = text.rstrip("mshin")
    scale = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "": 1.0}.get(text[len(number):])
    try:
        seconds = float(number) * (scale or 0)
    except ValueError:
        seconds = 0
    if seconds <= 0:
        raise argparse.ArgumentTypeError(f"expected a time, as 30s, got '{text}'")
    return seconds
