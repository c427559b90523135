-- Two lists at once, each to a stream of its own: tables in SQLite, files in a folder, or tagged lines.
-- Run: lookahead run scripts/workflows/two_streams.lua --param base=http://127.0.0.1:8080 --allow-net=127.0.0.1 --tag

local parameters = lookahead.parameters {
  base = { required = true, help = "where the server is, as http://127.0.0.1:8080" },
}

local list = lookahead.source { name = "list", keys = "page", pageSize = 100 }

function list.fetch(context)
  local response = lookahead.http.get(parameters.base .. context.parameters.path,
    { query = { page = context.key, per_page = context.size } })
  local page = response:json()
  return { items = page.items, total = page.total }
end

local function copy(stream)
  return function()
    for item in list:with { path = "/" .. stream }:items() do
      lookahead.emit(item, stream)
    end
  end
end

lookahead.all { copy("groups"), copy("items") }
