-- Pages by number. The host counts 1, 2, 3, …, so several are in flight at once, and their items arrive in order.
-- Run: lookahead run scripts/sources/page_number.lua --param base=http://127.0.0.1:8080 --allow-net=127.0.0.1

local parameters = lookahead.parameters {
  base = { required = true, help = "where the server is, as http://127.0.0.1:8080" },
}

local items = lookahead.source { name = "items", keys = "page", pageSize = 100 }

function items.fetch(context)
  local response = lookahead.http.get(parameters.base .. "/items",
    { query = { page = context.key, per_page = context.size } })
  local page = response:json()
  return { items = page.items, total = page.total }
end

return items
