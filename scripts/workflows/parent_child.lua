-- Parents and their children: for each group its items, with the group's name added to each.
-- Run: lookahead run scripts/workflows/parent_child.lua --param base=http://127.0.0.1:8080 --allow-net=127.0.0.1

local parameters = lookahead.parameters {
  base = { required = true, help = "where the server is, as http://127.0.0.1:8080" },
}

local function page(path, context)
  local response = lookahead.http.get(parameters.base .. path,
    { query = { page = context.key, per_page = context.size } })
  local body = response:json()
  return { items = body.items, total = body.total }
end

local groups = lookahead.source { name = "groups", keys = "page", pageSize = 10 }

function groups.fetch(context)
  return page("/groups", context)
end

local items = lookahead.source { name = "items", keys = "page", pageSize = 100 }

function items.fetch(context)
  return page("/groups/" .. context.parameters.group .. "/items", context)
end

for group in groups:items() do
  for item in items:with { group = group.id }:items() do
    item.groupName = group.name
    lookahead.emit(item)
  end
end
