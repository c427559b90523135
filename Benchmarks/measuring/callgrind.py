"""Counts instructions, which do not depend on what else the machine does."""
import glob, os, re, subprocess


def run(words, folder, environment=None, *options):
    """Runs a command, and answers what is said of its first process."""
    # What this benchmark is told by the environment is no option of the run.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LOOKAHEAD_")}
    words = ["valgrind", "--tool=callgrind", f"--log-file={folder}/count.%p", *options, *words]
    process = subprocess.Popen(
        words, cwd=folder, env={**kept, **(environment or {})}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    process.wait(900)
    with open(f"{folder}/count.{process.pid}") as file: said = file.read()
    for path in glob.glob(f"{folder}/count.*"): os.unlink(path)
    if process.returncode: raise RuntimeError(f"exit code {process.returncode} under callgrind: {said[-300:]}")
    return said


def instructions(words, folder, environment=None):
    """The instructions of a run's first process."""
    said = run(words, folder, environment, "--callgrind-out-file=/dev/null")
    count = re.search(r"Collected : (\d+)", said)
    if not count: raise RuntimeError(f"callgrind has counted nothing: {said[-300:]}")
    return int(count[1])


def functions(words, folder, environment=None):
    """The symbols of the functions of a program, the first of the words, that a run goes through."""
    path = os.path.join(folder, "functions")
    run(words, folder, environment, "--demangle=no", f"--callgrind-out-file={path}")
    names, found, objects, place = {}, set(), {}, None
    with open(path) as file:
        for line in file:
            # A name is written once, behind its number.
            is_place = re.match(r"(c?)ob=\((\d+)\)(?: (.*))?", line)
            if is_place:
                if is_place[3]: objects[is_place[2]] = is_place[3].strip()
                if not is_place[1]: place = objects[is_place[2]]
            is_function = re.match(r"(c?)fn=\((\d+)\)(?: (.*))?", line)
            if is_function:
                if is_function[3]: names[is_function[2]] = is_function[3].strip()
                if not is_function[1] and place == words[0]: found.add(names[is_function[2]].split("'")[0])
    os.unlink(path)
    return found
