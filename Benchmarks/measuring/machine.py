"""Says where and with what was measured."""
import glob, os, platform, subprocess, time
from .places import HERE


def facts(binary):
    """The machine, the date, the load and the versions of everybody, by name."""
    return {
        "date": time.strftime("%Y-%m-%d %H:%M"), "machine": machine(), "load": [round(load, 2) for load in os.getloadavg()],
        "lookahead": said([binary, "--version"]), "commit": commit(), "binary": time.strftime("%Y-%m-%d %H:%M", time.localtime(os.path.getmtime(binary))),
        "versions": versions(),
    }


def machine():
    with open("/proc/cpuinfo") as file:
        models = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    with open("/proc/meminfo") as file: memory = int(file.readline().split()[1]) / 1024 ** 2
    system = platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
    return f"{os.cpu_count()} cores of {models[0] if models else platform.machine()}, {memory:.0f} GB, {system}, Linux {platform.release()}"


def commit():
    name = said(["git", "-C", HERE, "log", "-1", "--format=%h"])
    changed = said(["git", "-C", HERE, "status", "--porcelain", "--untracked-files=no"])
    return f"{name}{' and changes' if changed else ''}"


def versions():
    """The versions of the peers that are here."""
    found = {"Python": platform.python_version()}
    for name, words in {"curl": ["curl", "--version"], "sqlite3": ["sqlite3", "--version"], "jq": ["jq", "--version"], "valgrind": ["valgrind", "--version"]}.items():
        text = said(words).split()
        if text: found[name] = next((word for word in text if any(letter.isdigit() for letter in word)), text[0])
    simdjson = said(["dpkg-query", "-W", "-f", "${Version}", "libsimdjson-dev"])
    if simdjson: found["simdjson"] = simdjson
    for peer in ("requests", "aiohttp", "orjson", "scrapy", "dlt", "duckdb", "singer_sdk", "airbyte_cdk", "sling_linux_amd64", "simpy"):
        for folder in glob.glob(os.path.join(HERE, f"http/.venv/*/lib/python3*/site-packages/{peer}-*.dist-info")):
            found[peer.replace("_linux_amd64", "").replace("_", "-")] = os.path.basename(folder)[len(peer) + 1:-len(".dist-info")]
    return found


def said(words):
    """What a program says, or nothing where it is not there."""
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=20).stdout.strip()
    except OSError:
        return ""


def text(facts):
    """The same for people, in one paragraph."""
    versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    after = f" and {facts['load after'][0]} after" if "load after" in facts else ""
    return (f"{facts['date']}, {facts['machine']}, load {facts['load'][0]} before{after}. Lookahead {facts['lookahead']}, built {facts['binary']}, "
            f"the tree at {facts['commit']}; beside {versions}.")
