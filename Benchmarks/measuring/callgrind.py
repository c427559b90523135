"""Counts instructions, which do not depend on what else the machine does."""
import glob, os, re, subprocess


def instructions(words, folder, environment=None):
    """The instructions of a run's first process, and its exit code."""
    # What this benchmark is told by the environment is no option of the run.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LOOKAHEAD_")}
    words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={folder}/count.%p", *words]
    process = subprocess.Popen(
        words, cwd=folder, env={**kept, **(environment or {})}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    process.wait(900)
    with open(f"{folder}/count.{process.pid}") as file: said = file.read()
    for path in glob.glob(f"{folder}/count.*"): os.unlink(path)
    count = re.search(r"Collected : (\d+)", said)
    if process.returncode or not count: raise RuntimeError(f"exit code {process.returncode} under callgrind: {said[-300:]}")
    return int(count[1])
