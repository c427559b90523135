#!/usr/bin/env python3
"""Serves Tests/Fixtures/events.db, which is made when missing, with Datasette: datasette_server.py [--port N] [--follow-stdin]

It is one process, so that nothing is left behind where that is killed.

How a table pages, at /events/readings.json (seen with Datasette 0.65):
  _size=N       rows per page; "max" is the largest. More than that is answered 400. Without it: 100.
  _shape        objects: {"rows": [{…}], "next": …, "next_url": …, "filtered_table_rows_count": …}; array: the rows alone.
  next          the cursor for _next: the primary key of the last row as text ("2"), or, with _sort=COLUMN, the sorted
                value and the key ("1,88"). null on the last page.
  next_url      the whole URL of the next page; null on the last page.
  Link          <next_url>; rel="next", in every shape, absent on the last page.
  _nocount=1    leaves the total out: filtered_table_rows_count is null.
"""

import socket
import sys
import threading
import time
from pathlib import Path

from datasette.cli import cli
from make_database import make
from running import announce, arguments, listening

DATABASE = Path(__file__).resolve().parent.parent / "Fixtures" / "events.db"
SETTINGS = {"max_returned_rows": 2000, "default_page_size": 100, "suggest_facets": "off", "sql_time_limit_ms": 10000}


def announce_when_it_answers(given, port, out):
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return announce(given, port, out)
        except OSError:
            time.sleep(0.05)


given = arguments(__doc__.splitlines()[0])
if not DATABASE.exists():
    make(DATABASE)
port = given.port
if port == 0:
    with listening(0) as probe:
        port = probe.getsockname()[1]
threading.Thread(target=announce_when_it_answers, args=(given, port, sys.stdout), daemon=True).start()
# Its log goes where nobody has to read it.
sys.stdout = sys.stderr
settings = [word for name, value in SETTINGS.items() for word in ("--setting", name, str(value))]
cli(["serve", "--immutable", str(DATABASE), "--host", "127.0.0.1", "--port", str(port), *settings])
