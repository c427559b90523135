-- Rows of the page server on their way to a database, none of them seen by Lua.
-- Run: lookahead run destination_rows.lua -e base=http://127.0.0.1:8801 --allow-net=127.0.0.1 -j 8 -o items.duckdb

local parameters = lookahead.parameters {
  base = { required = true, partition = false, help = "where the page server is" },
}

local items = lookahead.source { name = "items", keys = "page", pageSize = 1000 }

function items.fetch(context)
  local query = { page = context.key, per_page = context.size }
  local page = lookahead.http.get(parameters.base .. "/items", { query = query }):json()
  return { items = page.items, total = page.total }
end

return items
