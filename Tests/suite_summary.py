#!/usr/bin/env python3
"""Says how long which suite of tests took, and what failed: suite_summary.py EVENTS, the event stream of swift test.

Tests that run at once report only the cases of tests with arguments when they begin and end; what the other tests took is a
remainder, given for all of them together. With swift test --no-parallel every test has its own time.
"""

import collections
import json
import os
import sys

MOST = 15
MOST_OF_WORDS = 600


def events(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:  # cut where the tests were interrupted
                continue
            if record.get("kind") == "event":
                yield record["payload"]


def failure(event):
    place = event["issue"].get("sourceLocation", {})
    words = " ".join(message["text"] for message in event.get("messages", []))
    return f"{event.get('testID', '?')} ({place.get('fileID', place.get('_filePath', '?'))}:{place.get('line', '?')}): {words[:MOST_OF_WORDS]}"


def main(path):
    cases, tests = collections.Counter(), collections.Counter()
    begun, first, last, live, peak = collections.defaultdict(list), None, 0.0, 0, 0
    failures = []
    for event in events(path):
        kind, test, now = event["kind"], event.get("testID", ""), event["instant"]["absolute"]
        first, last = now if first is None else first, now
        if kind == "issueRecorded" and not event["issue"].get("isKnown"):
            failures.append(failure(event))
        if "/" not in test or not kind.endswith(("Started", "Ended")):
            continue
        if kind.endswith("Started"):
            begun[kind[:-7], test].append(now)
            live += kind == "testStarted"
            peak = max(peak, live)
        elif begun[kind[:-5], test]:
            live -= kind == "testEnded"
            took = now - begun[kind[:-5], test].pop(0)
            (cases if kind == "testCaseEnded" else tests)[test.split("/")[0]] += took
    if first is None:
        return
    times = cases if peak > 1 else tests
    print(f"\ntests took {last - first:.0f} s; the slowest suites:" if times else f"\ntests took {last - first:.0f} s")
    for suite, seconds in times.most_common(MOST):
        print(f"{seconds:8.1f} s  {suite}")
    if peak > 1:
        rest = max(0.0, (last - first) * (os.cpu_count() or 1) - sum(cases.values()))
        print(f"{rest:8.1f} s  at most, for all tests without arguments (--no-parallel gives the time of each suite)")
    if failures:  # last, where it is seen however long the rest is
        print(f"\n{len(failures)} failed:")
    for failed in failures[:MOST]:
        print(failed)


if len(sys.argv) == 2 and os.path.exists(sys.argv[1]):
    main(sys.argv[1])
