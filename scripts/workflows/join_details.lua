-- A list joined with the details of its items: the list is paged, the details of a page are fetched eight at a time.
-- Run: lookahead run scripts/workflows/join_details.lua --param base=http://127.0.0.1:8080 --allow-net=127.0.0.1

local parameters = lookahead.parameters {
  base = { required = true, help = "where the server is, as http://127.0.0.1:8080" },
  atOnce = { default = 8, help = "details fetched at once" },
}

local items = lookahead.source { name = "items", pageSize = 100 }

function items.fetch(context)
  local response = lookahead.http.get(parameters.base .. "/items",
    { query = { cursor = context.key or "", per_page = context.size } })
  local page = response:json()
  return { items = page.items, nextKey = page.next_cursor }
end

local function detail(item)
  return lookahead.http.get(parameters.base .. "/items/" .. item.id):json()
end

for page in items:pages() do
  local details = lookahead.map(page, parameters.atOnce, detail)
  for position, item in ipairs(page) do
    item.description = details[position].description
    item.size = details[position].size
    lookahead.emit(item)
  end
end
