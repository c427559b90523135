-- Pages by offset: 0, 100, 200, …, counted by the host, with several in flight. The total says where the list ends.
-- Run: lookahead run scripts/sources/offset.lua --param base=http://127.0.0.1:8080 --allow-net=127.0.0.1

local parameters = lookahead.parameters {
  base = { required = true, help = "where the server is, as http://127.0.0.1:8080" },
}

local items = lookahead.source { name = "items", keys = "offset", pageSize = 100, maxInFlight = 8 }

function items.fetch(context)
  local response = lookahead.http.get(parameters.base .. "/items",
    { query = { offset = context.key, limit = context.size } })
  local page = response:json()
  return { items = page.items, total = page.total, isLast = not page.has_more }
end

return items
