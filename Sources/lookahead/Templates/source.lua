-- NAME: a source. It says where the data is; Lookahead does the paging, ahead of whoever reads.
-- Run: lookahead run FILE --limit 5

-- What may differ from run to run: --param count=10. The option --help-script lists them.
local parameters = lookahead.parameters {
  count = { default = 60, help = "how many items there are" },
}

-- Keys "page" are counted by the host: 1, 2, 3, …, several on their way at once.
-- `id` is the field that tells items apart.
local items = lookahead.source { name = "NAME", keys = "page", pageSize = 20, id = "id" }

-- Gives one page. This one makes its items up, so that it runs without a network; put your data in its place:
--
--   local response = lookahead.http.get("https://api.example.com/items",
--     { query = { page = context.key, per_page = context.size } })
--   local page = response:json()
--   return { items = page.items, total = page.total }
--
-- and run it with --allow-net=api.example.com. Where each answer names the next page, leave `keys` out
-- and return { items = …, nextKey = … }.
function items.fetch(context)
  local list = {}
  local last = math.min(context.key * context.size, parameters.count)
  for id = (context.key - 1) * context.size + 1, last do
    list[#list + 1] = { id = id, name = "item " .. id }
  end
  return { items = list, total = parameters.count }     -- the total says where the pages end
end

return items
