-- Pages by cursor: each page carries the key of the next. The next request leaves before this page's items are read.
-- Run: lookahead run scripts/sources/cursor.lua --param base=http://127.0.0.1:8080 --allow-net=127.0.0.1

local parameters = lookahead.parameters {
  base = { required = true, help = "where the server is, as http://127.0.0.1:8080" },
}

local items = lookahead.source { name = "items", pageSize = 100 }

function items.fetch(context)
  local response = lookahead.http.get(parameters.base .. "/items",
    { query = { cursor = context.key or "", per_page = context.size } })
  local page = response:json()
  return { items = page.items, nextKey = page.next_cursor, total = page.total }
end

return items
