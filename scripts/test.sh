#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test, those of scripts/ray too if Ray is installed; says at the end which suites
# took longest and what failed, and leaves no process behind.
# Arguments go to swift test: scripts/test.sh --filter PagingTests
# What is tested is built as a release is, in a folder of its own (Package.swift says what is not): thousands of tests start the
# program, which takes four times as long in a debug build.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/bootstrap.sh --tests

# Every process that comes of the tests has this in its environment, however far it has gone from them; Package.swift asks for it.
export TESTS_OF_LOOKAHEAD="$$-$RANDOM"
report="$(mktemp -d)"
runner=

say() { printf 'scripts/test.sh: %s\n' "$*" >&2; }

# Ends what the tests started and left: servers, terminals, browsers.
end_leftovers() {
  local place process name
  for place in /proc/[0-9]*; do
    process="${place#/proc/}"
    if ((process != $$)) && grep -qzxF "TESTS_OF_LOOKAHEAD=$TESTS_OF_LOOKAHEAD" "$place/environ" 2>/dev/null; then
      name="$(tr '\0' ' ' 2>/dev/null <"$place/cmdline" || true)"
      if kill -KILL "$process" 2>/dev/null; then say "ended what the tests left behind: $process $name"; fi
    fi
  done
}

finish() {
  local code=$?
  trap - EXIT INT TERM HUP
  if [[ -n "$runner" ]] && kill -0 "$runner" 2>/dev/null; then
    kill -TERM -- "-$runner" 2>/dev/null || true
    wait "$runner" 2>/dev/null || true
  fi
  end_leftovers
  python3 Tests/suite_summary.py "$report/events" || true
  rm -rf "$report"
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

events=(--event-stream-output-path "$report/events")
case " $* " in *' --event-stream-output-path'*) events=() ;; esac

# In a process group of its own, so that an interrupt of this script ends all of it.
set -m
swift test --configuration release --scratch-path .build/tests "${events[@]}" "$@" &
runner=$!
set +m
wait "$runner"

# After the rest, not beside it: it holds leases of seconds against the clock.
if (($# == 0)) && [[ -x scripts/ray/.venv/bin/python ]]; then
  set -m
  scripts/ray/tests/run "$PWD/.build/tests/release/lookahead" &
  runner=$!
  set +m
  wait "$runner"
fi
