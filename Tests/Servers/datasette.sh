#!/usr/bin/env bash
# Serves a database with Datasette on 127.0.0.1: datasette.sh [--follow-stdin] [DATABASE [PORT]]
#
# The database is Tests/Fixtures/events.db unless given, and is made when missing; port 0, the default, finds a free one.
# The port is the first line of output, printed when the server answers. --follow-stdin ends it with standard input.
#
# How a table pages, at /events/readings.json (seen with Datasette 0.65):
#   _size=N       rows per page; "max" is the largest. More than that is answered 400. Without it: 100.
#   _shape        objects: {"rows": [{…}], "next": …, "next_url": …, "filtered_table_rows_count": …}; array: the rows alone.
#   next          the cursor for _next: the primary key of the last row as text ("2"), or, with _sort=COLUMN, the sorted
#                 value and the key ("1,88"). null on the last page.
#   next_url      the whole URL of the next page; null on the last page.
#   Link          <next_url>; rel="next", in every shape, absent on the last page.
#   _nocount=1    leaves the total out: filtered_table_rows_count is null.
set -euo pipefail

tests="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
follow_stdin=false
if [[ "${1-}" == --follow-stdin ]]; then
  follow_stdin=true
  shift
fi
database="${1:-$tests/Fixtures/events.db}"
port="${2:-0}"

[[ -f "$tests/.venv/installed" ]] || {
  printf 'datasette.sh: Datasette is not installed; run scripts/bootstrap.sh --tests\n' >&2
  exit 66
}
python3 "$tests/Servers/make_database.py" "$database" >/dev/null
if ((port == 0)); then
  port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
fi

"$tests/.venv/bin/python" -m datasette serve --immutable "$database" --host 127.0.0.1 --port "$port" \
  --setting max_returned_rows 2000 --setting default_page_size 100 --setting suggest_facets off \
  --setting sql_time_limit_ms 10000 </dev/null 1>&2 &
server=$!
# The runner of the tests blocks most signals, and whatever it starts inherits that: a server would outlive a plain kill.
trap 'kill -KILL "$server" 2>/dev/null || true' EXIT
trap 'exit 0' TERM INT

until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
  kill -0 "$server" 2>/dev/null || exit 1
  sleep 0.05
done
printf '%s\n' "$port"

if $follow_stdin; then
  cat >/dev/null
else
  wait "$server"
fi
