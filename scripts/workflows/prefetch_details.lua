-- A list whose details are fetched ahead of the loop that reads them: those of what comes next, a few at a time.
-- Run: lookahead run scripts/workflows/prefetch_details.lua --param base=http://127.0.0.1:8080 --allow-net=127.0.0.1

local parameters = lookahead.parameters {
  base = { required = true, help = "where the server is, as http://127.0.0.1:8080" },
  minimum = { default = 0, help = "leave out items whose size is below that" },
}

local items = lookahead.source { name = "items", pageSize = 50 }

function items.fetch(context)
  local page = lookahead.http.get(parameters.base .. "/items",
    { query = { cursor = context.key or "", per_page = context.size } }):json()
  return { items = page.items, nextKey = page.next_cursor }
end

function items.prefetchItem(id, context)
  return lookahead.http.get(parameters.base .. "/items/" .. id):json()
end

for item in items:items() do
  local detail = items.prefetcher:get(item.id)
  if detail.size >= parameters.minimum then
    item.description = detail.description
    item.size = detail.size
    lookahead.emit(item)
  end
end

local stats = items.prefetcher.stats
lookahead.log.info("details", { held = stats.hits, waited = stats.joins + stats.misses, fetched = stats.fetches })
