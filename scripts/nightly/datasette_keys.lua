-- A nightly copy of a Datasette table whose key is two columns; what is gone there is removed here.
-- Run: lookahead run scripts/nightly/datasette_keys.lua -e table=http://127.0.0.1:8001/db/t --allow-net -o copy.db

local parameters = lookahead.parameters {
  table = { required = true, help = "the address of the table, as http://127.0.0.1:8001/db/table" },
}

local rows = lookahead.source { name = "rows", id = { "station", "day" }, pageSize = 100, write = "mirror" }

function rows.fetch(context)
  local query = { _shape = "objects", _size = context.size, _next = context.key }
  local page = lookahead.http.get(parameters.table .. ".json", { query = query }):json()
  return { items = page.rows, nextKey = page.next, total = page.filtered_table_rows_count }
end

return rows
