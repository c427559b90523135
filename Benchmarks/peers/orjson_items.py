#!/usr/bin/env python3
"""Turns a file {"items": […]} into lines with orjson: orjson_items.py FILE OUTPUT"""
import sys
import orjson

with open(sys.argv[1], "rb") as file: items = orjson.loads(file.read())["items"]
with open(sys.argv[2], "wb") as output:
    for item in items: output.write(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE))
