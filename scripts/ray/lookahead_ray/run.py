"""The run: lists partitions, hands them out, hears how they end, and brings them together."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import IO

from .cluster import Cluster
from .exits import Exit, ends_run, of_failures
from .listing import Listing
from .messages import BatchResult, Outcome, Partition
from .options import Options
from .page import Page, PageFailed
from .showing import ProgressLine, Tally, summary, write_summary
from .waves import Waves
from .worker import PATIENCE, WorkerSettings

LONGEST_LIST_OF_FAILURES = 20
"""Partitions that failed and are named one by one."""


class Failed(Exception):
    """The run can't go on: with which code, and what there is to say."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Run:
    """One run of the command."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._interrupts = 0
        self._line = ProgressLine(options.progress, options.is_quiet)
        self._tally = Tally()
        self._failure: Failed | None = None
        self._page: Page | None = None
        self._told = ""
        """The last error that was said."""

    def run(self) -> int:
        """Runs it to its end; answers the exit code."""
        began = time.monotonic()
        folder = self._options.folder
        try:
            lock = _locked(folder)
        except OSError as error:
            raise Failed(Exit.OUTPUT, f"{folder}: can't be written: {error.strerror}") from None
        with lock:
            if self._options.is_fresh:
                _forget(folder)
            self._page = self._open_page()
            code = int(Exit.BUG)
            try:
                with _Signals(self._interrupt):
                    code = self._read()
            except Failed as failed:
                code, self._told = failed.code, str(failed)
                raise
            finally:
                page = self._page.end(code, "" if code == Exit.DONE else self._told) if self._page else 0
            # A file that can't be written is no less lost than that of the run itself.
            code = code or page
        seconds = time.monotonic() - began
        self._line.clear()
        waves = self._waves
        if code != Exit.DONE:
            self._line.say(self._how_to_go_on(code), is_error=code != Exit.INTERRUPTED)
        if waves.listed:
            self._line.say(f"lookahead-ray: {summary(self._tally, waves, seconds)}")
        if self._options.summary:
            write_summary(self._options.summary, self._tally, waves, seconds, Exit(code))
        return code

    def _open_page(self) -> Page | None:
        command = self._options.watch_command
        if command is None:
            return None
        try:
            return Page(command, self._say, is_served=self._options.listen is not None)
        except PageFailed as failed:
            raise Failed(failed.code, str(failed)) from None

    def _read(self) -> int:
        options = self._options
        cluster = Cluster(options.address, options.workers, options.rate)
        self._waves = Waves(cluster.workers)
        try:
            settings = WorkerSettings(tuple(options.work_command), os.getcwd(), options.at_once, options.silence, is_watched=self._page is not None)
            listing = Listing(cluster.desk, options.partitions_command, options.folder / "partitions.ndjson", self._say, options.rate)
            self._hand_out(cluster, listing, settings)
            listing.join(PATIENCE)
        finally:
            cluster.close()
        if self._interrupts:
            return Exit.INTERRUPTED
        if self._failure:
            self._told = str(self._failure)
            self._line.say(f"lookahead-ray: {self._failure}", is_error=True)
            return self._failure.code
        if self._waves.failed:
            self._told = f"{len(self._waves.failed)} partitions failed"
            return of_failures(outcome for _, outcome in self._waves.failed)
        return self._collect()

    def _hand_out(self, cluster: Cluster, listing: Listing, settings: WorkerSettings) -> None:
        waves, ends_at = self._waves, None
        while not waves.is_over and not (ends_at and time.monotonic() > ends_at) and self._interrupts < 2:
            self._take_listed(listing)
            for batch in waves.batches():
                cluster.begin(batch, settings)
            for number, result in cluster.ended(patience=0.05):
                self._finish(number, result)
            self._look(cluster, settings)
            if (self._interrupts or self._failure) and not waves.is_stopping:
                waves.is_stopping = True
                listing.stop()
                cluster.stop()
                ends_at = time.monotonic() + PATIENCE + 2
        if last := cluster.last_snapshot(1):
            self._tally.take(last)
            if self._page:
                self._page.take(last)
            for line in last.log:
                self._say(line)

    def _take_listed(self, listing: Listing) -> None:
        waves = self._waves
        while waves.has_room and not waves.is_stopping and (partition := listing.take()):
            if waves.offer(partition) and self._page:
                self._page.offer(partition)
        if listing.is_over and not waves.is_all_listed:
            waves.is_all_listed = True
            if self._page:
                self._page.end_list()
            if listing.fault:
                raise listing.fault
            if listing.exit_code and not waves.is_stopping:
                # What it wrote has been shown already.
                self._failure = Failed(_told(listing.exit_code), "the partitions can't be listed")

    def _finish(self, number: int, result: BatchResult) -> None:
        if result.worker:
            self._tally.end(result.worker, result.totals)
        before = len(self._waves.failed)
        failed = self._waves.finish(number, result)
        if self._page:
            self._page.finish(number, result, failed)
        for place, (partition, outcome) in enumerate(failed, before):
            if place < LONGEST_LIST_OF_FAILURES:
                self._name(partition, outcome)
        if ends_run(result.exit_code) and not self._failure:
            self._failure = Failed(_told(result.exit_code), "the run was stopped, since no other process would fare better")

    def _look(self, cluster: Cluster, settings: WorkerSettings) -> None:
        """Takes what the coordinator knows, and hands out again what silent processes have."""
        snapshot = cluster.snapshot()
        if snapshot:
            self._tally.take(snapshot)
            if self._page:
                self._page.take(snapshot)
            for line in snapshot.log:
                self._say(line)
            if snapshot.left_out:
                self._say(f"… and {snapshot.left_out} lines more")
            heard: dict[int, float] = {}
            for worker, silent in snapshot.silent.items():
                batch = worker.partition(".")[0]
                if batch.isdigit():
                    heard[int(batch)] = min(silent, heard.get(int(batch), silent))
            for number, silent in heard.items():
                if silent > settings.silence and self._waves.abandon(number):
                    self._line.say(f"lookahead-ray: a process gave no sign of life for {silent:.0f} s: others read its partitions")
        if self._page:
            self._page.pump()
        self._line.show(self._tally, self._waves)

    def _collect(self) -> int:
        result = subprocess.run(self._options.collect_command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in result.stderr.splitlines():
            self._line.say(line, is_error=result.returncode != 0)
        return result.returncode

    def _name(self, partition: Partition, outcome: Outcome) -> None:
        parameters = json.dumps(json.loads(partition.line).get("parameters", {}), ensure_ascii=False)
        self._line.say(
            f"lookahead-ray: {partition.id} {parameters} failed: {outcome.message or outcome.code}\n"
            f"  just this one again: {self._options.again(partition.line)}",
            is_error=True)

    def _how_to_go_on(self, code: int) -> str:
        failed = len(self._waves.failed)
        if failed > LONGEST_LIST_OF_FAILURES:
            self._line.say(f"lookahead-ray: … and {failed - LONGEST_LIST_OF_FAILURES} more failed", is_error=True)
        if code == Exit.INTERRUPTED:
            return "lookahead-ray: interrupted; run it again to go on"
        return f"lookahead-ray: what was read is in {self._options.folder}; run it again to go on"

    def _say(self, line: str) -> None:
        self._line.say(line)

    def _interrupt(self) -> None:
        self._interrupts += 1


class _Signals:
    """Counts interrupts while a run is under way."""

    def __init__(self, interrupt: Callable[[], None]) -> None:
        self._interrupt = interrupt

    def __enter__(self) -> None:
        self._before = {number: signal.signal(number, self._handle) for number in (signal.SIGINT, signal.SIGTERM)}

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self._interrupt()


def _locked(folder: Path) -> IO[str]:
    """The lock of a folder, kept until it is closed: two runs on one would take each other's partitions."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = open(folder / ".ray.lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise Failed(Exit.OUTPUT, f"{folder}: another run works on it") from None
    return lock


def _forget(folder: Path) -> None:
    """Removes what runs before have left."""
    shutil.rmtree(folder / "parts", ignore_errors=True)
    for path in [folder / "partitions.ndjson", *folder.glob("manifest*.json")]:
        path.unlink(missing_ok=True)


def _told(code: int | None) -> int:
    """The exit code of a process as ours; one that was killed has failed."""
    return code if code is not None and code > 0 else int(Exit.FAILED)
