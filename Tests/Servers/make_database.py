#!/usr/bin/env python3
"""Makes the database that the tests page through: 60,000 readings, 50,000 events, 200 stations. Always the same rows.

Does nothing when the file is there; prints its path. Usage: make_database.py [PATH], Tests/Fixtures/events.db by default.
"""

import os
import random
import sqlite3
import sys
from datetime import datetime, timedelta
from pathlib import Path

SCHEMA = """
create table stations (id integer primary key, name text not null, latitude real not null, longitude real not null);
create table readings (
  id integer primary key, station integer not null references stations (id), taken text not null,
  kind text not null, value real, note text);
create table events (code text primary key, station integer not null references stations (id), happened text not null,
  severity integer not null, text text not null) without rowid;
create index readings_by_station on readings (station, id);
create index events_by_station on events (station, code);
"""
KINDS = ["temperature", "pressure", "humidity", "wind"]
NOTES = [None, None, None, "calibrated", "sensor swapped, see log", "naïve \"quote\" – ok", "two\nlines"]
START = datetime(2024, 1, 1)


def stations(random_numbers, count=200):
    for number in range(1, count + 1):
        latitude, longitude = random_numbers.uniform(-80, 80), random_numbers.uniform(-180, 180)
        yield number, f"station {number:03}", round(latitude, 4), round(longitude, 4)


def readings(random_numbers, count=60_000):
    for number in range(1, count + 1):
        value = None if number % 997 == 0 else round(random_numbers.gauss(15, 8), 2)
        taken = (START + timedelta(seconds=30 * number)).isoformat()
        yield number, random_numbers.randint(1, 200), taken, KINDS[number % 4], value, random_numbers.choice(NOTES)


def events(random_numbers, count=50_000):
    for number in range(1, count + 1):
        happened = (START + timedelta(seconds=37 * number)).isoformat()
        severity = random_numbers.choice([1, 1, 1, 2, 2, 3])
        yield f"e{number:06}", random_numbers.randint(1, 200), happened, severity, f"event {number} of the year"


def make(path):
    """Writes beside the path first, so that whoever sees the file sees all of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    random_numbers = random.Random(1970)
    database = sqlite3.connect(unfinished)
    database.executescript("pragma journal_mode = off; pragma synchronous = off;" + SCHEMA)
    database.executemany("insert into stations values (?, ?, ?, ?)", stations(random_numbers))
    database.executemany("insert into readings values (?, ?, ?, ?, ?, ?)", readings(random_numbers))
    database.executemany("insert into events values (?, ?, ?, ?, ?)", events(random_numbers))
    database.commit()
    database.close()
    os.replace(unfinished, path)


if __name__ == "__main__":
    default = Path(__file__).resolve().parent.parent / "Fixtures" / "events.db"
    database_path = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    if not database_path.exists():
        make(database_path)
    print(database_path)
