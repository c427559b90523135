-- A nightly copy of a Kinto collection: what has changed since the last time, and what was deleted there.
-- Run: lookahead run scripts/nightly/kinto_since.lua -e collection=http://127.0.0.1:8888/v1/… --allow-net -o copy.db

local parameters = lookahead.parameters {
  collection = { required = true, help = "the address of the collection, as …/buckets/b/collections/c" },
}

local function isRemoved(record) return record.deleted == true end

local records = lookahead.source { name = "records", bookmark = "last_modified", isRemoved = isRemoved }

function records.fetch(context)
  local url = context.key or parameters.collection .. "/records"
  local query = not context.key and { _sort = "last_modified", _since = context.bookmark } or nil
  local response = lookahead.http.get(url, { query = query })
  return { items = response:json().data, nextKey = response.headers["next-page"] }
end

return records
