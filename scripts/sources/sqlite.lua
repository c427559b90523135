-- A table of an SQLite database, by keyset: every page is found through the index, the last as fast as the first.
-- Run: lookahead run scripts/sources/sqlite.lua --allow-read=scripts/data

local parameters = lookahead.parameters {
  file = { default = "../data/zones.db", help = "the database; relative paths count from this script" },
  table = { default = "zones", help = "the table" },
  key = { default = "name", help = "a column with an index and without duplicates" },
}

local rows = lookahead.source { name = "rows", id = parameters.key, pageSize = 500 }

local function quoted(name)
  return '"' .. name:gsub('"', '""') .. '"'
end

local database

local function open(key)
  local opened = lookahead.sqlite.open(parameters.file)
  -- Blobs are base64 in items, which is no place in their order; they come last.
  local last = opened:query(("select typeof(max(%s)) as type from %s"):format(key, quoted(parameters.table)))[1]
  if last.type == "blob" then error(parameters.key .. " has blobs: name a key of numbers or texts", 0) end
  return opened
end

function rows.fetch(context)
  local key = quoted(parameters.key)
  database = database or open(key)
  local after = context.key and "where " .. key .. " > :after" or ""
  local found = database:query(
    ("select * from %s %s order by %s limit :size"):format(quoted(parameters.table), after, key),
    { after = context.key, size = context.size })
  return { items = found, nextKey = #found == context.size and found[#found][parameters.key] or nil }
end

return rows
