"""The small C and C++ programs that are measured, or serve."""
import os, subprocess, sys
from .commands import HERE, OUT

PROGRAMS = {
    os.path.join(HERE, "http/server/pageserver"): ("http/server/pageserver.c",),
    os.path.join(HERE, "http/clients/floor_cpp"): ("http/clients/floor_cpp.cpp", "-lcurl", "-lsimdjson"),
    os.path.join(OUT, "json_floor"): ("peers/json_floor.cpp", "-lsimdjson"),
}
JSON_FLOOR = os.path.join(OUT, "json_floor")


def build():
    """Compiles what is not there or older than its source; who can't be compiled is missing."""
    os.makedirs(OUT, exist_ok=True)
    for program, (source, *options) in PROGRAMS.items():
        path = os.path.join(HERE, source)
        if os.path.exists(program) and os.path.getmtime(program) >= os.path.getmtime(path): continue
        compiler = ["c++", "-std=c++17"] if path.endswith(".cpp") else ["cc"]
        done = subprocess.run([*compiler, "-O2", "-o", program, path, *options], capture_output=True, text=True)
        if done.returncode: print(f"{source} can't be compiled: {done.stderr.strip().splitlines()[0]}", file=sys.stderr)
