-- The records of a Kinto collection, newest first: the header Next-Page has the next page's address.
-- Run: lookahead run kinto_records.lua --param collection=http://127.0.0.1:8888/v1/buckets/B/collections/C --allow-net
local parameters = lookahead.parameters { collection = { required = true } }

local records = lookahead.source { name = "records", id = "id", pageSize = 100 }

function records.fetch(context)
  local url = context.key or parameters.collection .. "/records?_limit=" .. context.size
  local response = lookahead.http.get(url)
  return { items = response:json().data, nextKey = response.headers["next-page"] }
end

return records
