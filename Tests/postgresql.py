"""A PostgreSQL that is killed and started again, for harnesses in Python."""

import signal
import subprocess
import sys
import time
from pathlib import Path


class PostgreSQL:
    """A server, with a database for each folder."""

    def __init__(self):
        script = Path(__file__).parent / "Servers" / "postgresql_server.py"
        self.process = subprocess.Popen(
            [sys.executable, script, "--follow-stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.folder = self.process.stdout.readline().strip()
        self.names = {}

    def url(self, folder):
        """That of the database of a folder, which is made where there is none."""
        folder = str(folder)
        if folder not in self.names:
            self.names[folder] = f"kills_{len(self.names)}"
            self.run("postgres", f"create database {self.names[folder]}")
        return f"postgresql://postgres@127.0.0.1:{self.port}/{self.names[folder]}"

    def copy(self, old, new):
        if str(old) in self.names:
            self.names[str(new)] = f"kills_{len(self.names)}"
            self.run("postgres", f"create database {self.names[str(new)]} template {self.names[str(old)]}")

    def run(self, database, sql):
        """The lines of an answer; waits for a server that is about to come back, or for others to leave."""
        asked = ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p", str(self.port), "-U", "postgres"]
        for _ in range(500):
            result = subprocess.run(asked + ["-d", database, "-c", sql], capture_output=True, text=True)
            if result.returncode == 0:
                return result.stdout.splitlines()
            time.sleep(0.02)
        raise SystemExit(f"{sql}: {result.stderr}")

    def crash(self):
        self.process.send_signal(signal.SIGUSR1)

    def tables(self, folder):
        name = self.names[str(folder)]
        known = "table_schema = 'public' and table_name not like '\\_%'"
        return {
            table: (self.run(name, f"select column_name, data_type from information_schema.columns where {known} and "
                             f"table_name = '{table}' order by 1"),
                    lambda sql: self.run(name, sql))
            for table in self.run(name, f"select table_name from information_schema.tables where {known}")}
