#!/usr/bin/env python3
"""Makes zones.db, countries.csv and countries.json from the tables of the public-domain time zone database (tzdata).

Usage: scripts/data/make_data.py [FOLDER], where FOLDER has zone1970.tab and iso3166.tab; /usr/share/zoneinfo by default.
"""

import csv
import json
import re
import sqlite3
import sys
from pathlib import Path

SCHEMA = """
create table countries (code text primary key, name text not null) without rowid;
create table zones (name text primary key, country text not null references countries (code), countries text not null,
  latitude real not null, longitude real not null, comment text) without rowid;
create index zones_by_country on zones (country, name);
"""


def rows(path):
    """The fields of each line that is no comment."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def degrees(text):
    """Decimal degrees of one ISO 6709 half: ±DDMM, ±DDDMM, and the same with seconds."""
    sign, whole, minutes, seconds = re.fullmatch(r"([+-])(\d{2,3})(\d\d)(\d\d)?", text).groups()
    value = int(whole) + int(minutes) / 60 + int(seconds or 0) / 3600
    return round(-value if sign == "-" else value, 4)


def zones(path):
    for codes, place, name, *comment in rows(path):
        # The second half begins at its own sign, which is the last one.
        cut = max(place.rfind("+"), place.rfind("-"))
        yield name, codes[:2], codes, degrees(place[:cut]), degrees(place[cut:]), comment[0] if comment else None


def main():
    source = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/zoneinfo")
    target = Path(__file__).resolve().parent
    countries = [(code, name) for code, name in rows(source / "iso3166.tab")]
    (target / "zones.db").unlink(missing_ok=True)
    database = sqlite3.connect(target / "zones.db")
    database.executescript("pragma page_size = 1024;" + SCHEMA)
    database.executemany("insert into countries values (?, ?)", sorted(countries))
    database.executemany("insert into zones values (?, ?, ?, ?, ?, ?)", sorted(zones(source / "zone1970.tab")))
    database.commit()
    database.execute("vacuum")
    database.close()
    with open(target / "countries.json", "w", encoding="utf-8") as file:
        rows = ",\n".join(json.dumps({"code": code, "name": name}, ensure_ascii=False) for code, name in countries)
        file.write(f'{{"countries": [\n{rows}\n]}}\n')
    with open(target / "countries.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([("code", "name"), *countries])


if __name__ == "__main__":
    main()
