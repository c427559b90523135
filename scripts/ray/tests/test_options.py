"""The command line."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from lookahead_ray.options import PASSED, REFUSED, UsageError, parse
from lookahead_ray.rates import Rate


def test_options_of_the_program_go_on_to_those_that_know_them() -> None:
    options = parse(["run", "feed.lua", "-o", "all/", "-e", "days=30", "--allow-net=a.example", "-j4", "--max-memory", "1GB", "--source=rows", "-A"])

    assert options.passed["partitions"] == ["-e", "days=30", "--allow-net=a.example", "-j4", "--source=rows", "-A"]
    assert options.passed["work"] == ["-e", "days=30", "--allow-net=a.example", "-j4", "--max-memory", "1GB", "-A"]


def test_allow_net_without_hosts_does_not_take_the_script() -> None:
    options = parse(["run", "--allow-net", "feed.lua", "-o", "all/"])

    assert options.script == str(Path("feed.lua").absolute())
    assert options.passed["work"] == ["--allow-net"]


def test_processes_say_only_what_is_wrong_unless_more_is_asked_for() -> None:
    quiet = parse(["run", "feed.lua", "-o", "all/"]).work_command
    asked = parse(["run", "feed.lua", "-o", "all/", "--log-level", "info"]).work_command

    assert quiet[-2:] == ["--log-level", "warn"]
    assert asked[-2:] == ["--log-level", "info"] and "warn" not in asked


def test_a_rate_is_kept_by_the_gate_and_told_to_processes() -> None:
    options = parse(["run", "feed.lua", "-o", "all/", "--rate", "600/m"])

    assert options.rate == Rate(600, 60)
    assert ["--rate", "600/m"] == [word for word in options.work_command if word in ("--rate", "600/m")]
    assert "--gate" in options.work_command
    assert "--gate" not in options.partitions_command


def test_a_file_is_collected_from_a_folder_beside_it() -> None:
    options = parse(["run", "feed.lua", "-o", "out/all.csv", "--format", "csv"])

    assert options.folder == Path("out/all.csv.parts").absolute()
    assert options.collect_command[1:] == ["collect", f"{options.folder}/", "-o", str(Path("out/all.csv").absolute()), "--format", "csv"]


def test_a_folder_is_where_its_parts_are() -> None:
    options = parse(["run", "feed.lua", "-o", "all/"])

    assert options.collect_command[1:] == ["collect", f"{Path('all').absolute()}/"]


def test_the_command_for_one_partition_can_be_pasted_and_shows_no_secret() -> None:
    options = parse(["run", "feed.lua", "-o", "all/", "--secret", "token=hidden", "--secret", "key=env:KEY", "-e", "name=it's", "--lookahead", "lookahead"])

    command = options.again('{"id":"rows-1","parameters":{"name":"it\'s"}}')
    words = subprocess.run(["bash", "-c", f"lookahead() {{ cat; printf '%s\\n' \"$@\"; }}; {command}"], capture_output=True, text=True).stdout.splitlines()

    assert json.loads(words[0])["parameters"] == {"name": "it's"}
    assert "hidden" not in command and "token=…" in words and "key=env:KEY" in words and "name=it's" in words
    assert "--gate" not in words


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "-"], "expected a folder or a file"), ([], "required: -o"), (["-o", "a/", "--rate", "x"], "requests per time"),
        (["-o", "a/", "--limit", "3"], "a part is whole or it is not"), (["-o", "a/", "--workers", "0"], "a number from 1 on"),
        (["-o", "a/", "--nonsense"], "unrecognized arguments: --nonsense"), (["-o", "a/", "-e"], "-e: expected a value"),
        (["-o", "a/", "--format", "csv"], "expected a file"), (["-o", "a/", "--silence", "soon"], "expected a time"),
    ])
def test_what_is_wrong_is_named(words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        parse(["run", "feed.lua", *words])


@pytest.mark.skipif("LOOKAHEAD" not in os.environ, reason="LOOKAHEAD names no program")
def test_every_option_of_the_program_is_passed_on_refused_or_ours() -> None:
    program = os.environ["LOOKAHEAD"]

    def known(command: str) -> set[str]:
        text = subprocess.run([program, command, "--help"], capture_output=True, text=True, check=True).stdout
        return set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.MULTILINE))

    ours = {"--output", "--rate", "--fresh", "--progress", "--quiet", "--summary", "--no-prompt", "--version", "--help", "--parts", "--listen", "--report"}
    passed = {name for option in PASSED for name in option.names if name.startswith("--")}

    assert known("run") - ours - passed - set(REFUSED) == set()
    for command in ("partitions", "work", "collect"):
        assert {option.names[-1] for option in PASSED if command in option.to.split()} - known(command) == set()
