-- Every item of the page server, seen and changed by Lua on its way to the sink.
-- Run: lookahead run items.lua --param base=http://127.0.0.1:8801 --allow-net=127.0.0.1 -j 8 -o items.ndjson

local parameters = lookahead.parameters {
  base = { required = true, help = "where the page server is" },
  keys = { default = "page", help = "page: the host counts; cursor: the answer says where the next page is" },
  onlyNew = { default = false, help = "ask for what is new since the last run" },
  touch = { default = true, help = "read and change every item" },
  copy = { default = false, help = "make a table of Lua's own of every item" },
}

local items = lookahead.source { name = "items", keys = parameters.keys, pageSize = 100 }
if parameters.onlyNew then items.bookmark = "id" end

function items.fetch(context)
  local url, query = parameters.base .. "/items", { per_page = context.size, updated_after = context.bookmark }
  if parameters.keys == "page" then query.page = context.key end
  local next = parameters.keys == "cursor" and context.key
  local response = next and lookahead.http.get(next) or lookahead.http.get(url, { query = query })
  local page = response:json()
  return { items = page.items, total = page.total, nextKey = page.next_url }
end

if parameters.copy then
  function items.transform(item)
    local copy = {}
    for key, value in pairs(item) do copy[key] = value end
    copy.half = copy.score / 2
    return copy
  end
elseif parameters.touch then
  function items.transform(item)
    item.half = item.score / 2
    return item
  end
end

return items
