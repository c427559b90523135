-- Pages on demand: nothing is fetched until the script asks, and an item that comes twice is held once.
-- Run: lookahead run scripts/workflows/item_set.lua --param base=http://127.0.0.1:8080 --allow-net=127.0.0.1

local parameters = lookahead.parameters {
  base = { required = true, help = "where the server is, as http://127.0.0.1:8080" },
  pages = { default = 3, help = "pages to fetch" },
}

local items = lookahead.source { name = "items", keys = "page", pageSize = 100 }

function items.fetch(context)
  local response = lookahead.http.get(parameters.base .. "/items",
    { query = { page = context.key, per_page = context.size } })
  local page = response:json()
  return { items = page.items, total = page.total }
end

local set = items:itemSet()

function set.onPageLoaded(newItems)
  lookahead.log.info("page loaded", { page = set.lastFetchedPage, of = set.totalPages, items = #newItems })
end

while set.lastFetchedPage < parameters.pages and not set.lastPageAlreadyFetched do
  set:fetchNextPage()
end

for _, item in ipairs(set.items) do
  lookahead.emit(item)
end
