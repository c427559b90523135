-- Every item of the page server, seen and changed by Lua on its way to the sink.
-- Run: lookahead run items.lua --param base=http://127.0.0.1:8801 --allow-net=127.0.0.1 -j 8 -o items.ndjson

local parameters = lookahead.parameters {
  base = { required = true, help = "where the page server is" },
  keys = { default = "page", help = "page: the host counts; cursor: the answer says where the next page is" },
  touch = { default = true, help = "read and change every item" },
}

local items = lookahead.source { name = "items", keys = parameters.keys, pageSize = 100 }

function items.fetch(context)
  local url = parameters.base .. "/items"
  local response = parameters.keys == "page"
    and lookahead.http.get(url, { query = { page = context.key, per_page = context.size } })
    or lookahead.http.get(context.key or url .. "?per_page=100")
  local page = response:json()
  return { items = page.items, total = page.total, nextKey = page.next_url }
end

if parameters.touch then
  function items.transform(item)
    item.half = item.score / 2
    return item
  end
end

return items
