"""Events a second in virtual time."""
import re
from measuring.case import Case
from measuring.commands import command
from measuring.places import PEERS, venv


def rate(usage):
    found = re.search(r"([\d,]+) events per second", usage.said)
    if not found: raise ValueError(f"no rate in {usage.said[-200:]!r}")
    return {"rate": int(found[1].replace(",", "")) / 1e6}


def all_of(sizes):
    sessions, events = sizes(10_000), sizes(1_000_000, 100_000)
    ours, peer = "two built-in policies, one thread", "SimPy, one process"
    lab = f"$LOOKAHEAD lab --policy leadingScreens --policy remainingTime --sessions {sessions} --summary"
    simpy = lambda name, processes: command(name, f"{venv('simpy')} {PEERS}/simpy_rate.py {processes} {events}", read=rate, needs=(venv("simpy"),))
    return [Case("lab", "The laboratory: million events a second", [
        command(ours, f"{lab} --jobs 1", read=rate), command("the same on all cores", lab, read=rate),
        simpy(peer, 1), simpy("SimPy, a thousand processes", 1000),
    ], ("rate", "wall", "rss"), rounds=3, against=peer, readme=(("the lab, one thread", ours, peer, "rate", "million events/s"),))]
