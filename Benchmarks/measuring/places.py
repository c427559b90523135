"""Where everything is."""
import os

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = os.path.join(HERE, "out")
SCRIPTS = os.path.join(HERE, "scripts")
PEERS = os.path.join(HERE, "peers")


def venv(name, program="python"):
    """A program of a peer's own Python, as `http/setup.sh` installs it."""
    return os.path.join(HERE, "http", ".venv", name, "bin", program)
