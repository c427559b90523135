"""The small C and C++ programs that measure, serve and are measured."""
import os, shutil, subprocess, sys
from .places import HERE, OUT

METER = os.path.join(OUT, "meter")
JSON_FLOOR = os.path.join(OUT, "json_floor")
PROGRAMS = {
    METER: ("measuring/meter.c",),
    os.path.join(HERE, "http/server/pageserver"): ("http/server/pageserver.c",),
    os.path.join(HERE, "http/clients/floor_cpp"): ("http/clients/floor_cpp.cpp", "-lcurl", "-lsimdjson"),
    JSON_FLOOR: ("peers/json_floor.cpp", "-lsimdjson"),
}


def build(wanted=tuple(PROGRAMS)):
    """Compiles what is not there or older than its source; who can't be compiled is missing."""
    os.makedirs(OUT, exist_ok=True)
    for program in wanted:
        source, *options = PROGRAMS[program]
        path = os.path.join(HERE, source)
        if os.path.exists(program) and os.path.getmtime(program) >= os.path.getmtime(path): continue
        names = ("c++", "clang++") if path.endswith(".cpp") else ("cc", "clang")
        compiler = next((name for name in names if shutil.which(name)), names[0])
        standard = ["-std=c++17"] if path.endswith(".cpp") else []
        done = subprocess.run([compiler, *standard, "-O2", "-o", program, path, *options], capture_output=True, text=True)
        if done.returncode: print(f"{source} can't be compiled: {done.stderr.strip().splitlines()[0]}", file=sys.stderr)
