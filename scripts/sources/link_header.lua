-- Pages by Link header, as GitHub and many others have it: the body is a plain array, the header says where to go on.
-- Run: lookahead run scripts/sources/link_header.lua --param base=http://127.0.0.1:8080 --allow-net=127.0.0.1

local parameters = lookahead.parameters {
  base = { required = true, help = "where the server is, as http://127.0.0.1:8080" },
}

local items = lookahead.source { name = "items", pageSize = 100 }

function items.fetch(context)
  local url = context.key or parameters.base .. "/list?per_page=" .. context.size
  local response = lookahead.http.get(url)
  return { items = response:json(), nextKey = response.links.next }
end

return items
