#!/usr/bin/env python3
"""Writes the rows of the table `items` as lines with Python's sqlite3 and orjson: sqlite_orjson.py DATABASE OUTPUT"""
import sqlite3, sys
import orjson

rows = sqlite3.connect(sys.argv[1]).execute("select id, name, city, score, count from items order by id")
names = [column[0] for column in rows.description]
with open(sys.argv[2], "wb") as output:
    for row in rows: output.write(orjson.dumps(dict(zip(names, row)), option=orjson.OPT_APPEND_NEWLINE))
