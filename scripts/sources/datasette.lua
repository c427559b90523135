-- A table of a Datasette server, by the cursor in its answers.
-- Run: lookahead run scripts/sources/datasette.lua --param base=http://127.0.0.1:8001 --allow-net=127.0.0.1

local parameters = lookahead.parameters {
  base = { required = true, help = "where Datasette is, as http://127.0.0.1:8001" },
  table = { default = "events/readings", help = "database and table" },
  id = { default = "id", help = "the primary key" },
}

local rows = lookahead.source { name = "rows", id = parameters.id, pageSize = 1000 }

function rows.fetch(context)
  local response = lookahead.http.get(parameters.base .. "/" .. parameters.table .. ".json",
    { query = { _shape = "objects", _size = context.size, _next = context.key } })
  local page = response:json()
  return { items = page.rows, nextKey = page.next, total = page.filtered_table_rows_count }
end

return rows
