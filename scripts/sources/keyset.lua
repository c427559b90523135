-- Pages by keyset: everything after the last id that was seen. Items that come and go meanwhile shift nothing.
-- Run: lookahead run scripts/sources/keyset.lua --param base=http://127.0.0.1:8080 --allow-net=127.0.0.1

local parameters = lookahead.parameters {
  base = { required = true, help = "where the server is, as http://127.0.0.1:8080" },
}

local items = lookahead.source { name = "items", pageSize = 100 }

function items.fetch(context)
  local response = lookahead.http.get(parameters.base .. "/items",
    { query = { after_id = context.key or "", limit = context.size } })
  local page = response:json()
  local last = page.items[#page.items]
  return { items = page.items, nextKey = page.has_more and last.id or nil }
end

return items
