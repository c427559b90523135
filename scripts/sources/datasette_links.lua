-- A table of a Datasette server, by the Link header: the answer is an array of rows and nothing else.
-- Run: lookahead run scripts/sources/datasette_links.lua --param base=http://127.0.0.1:8001 --allow-net=127.0.0.1

local parameters = lookahead.parameters {
  base = { required = true, help = "where Datasette is, as http://127.0.0.1:8001" },
  table = { default = "events/events", help = "database and table" },
  id = { default = "code", help = "the primary key" },
}

local rows = lookahead.source { name = "rows", id = parameters.id, pageSize = 1000 }

function rows.fetch(context)
  local first = parameters.base .. "/" .. parameters.table .. ".json?_shape=array&_size=" .. context.size
  local response = lookahead.http.get(context.key or first)
  return { items = response:json(), nextKey = response.links.next }
end

return rows
