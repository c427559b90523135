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

function rows.fetch(context)
  database = database or lookahead.sqlite.open(parameters.file)
  local key = quoted(parameters.key)
  local after = context.key and "where " .. key .. " > :after" or ""
  local found = database:query(
    ("select * from %s %s order by %s limit :size"):format(quoted(parameters.table), after, key),
    { after = context.key, size = context.size })
  return { items = found, nextKey = #found == context.size and found[#found][parameters.key] or nil }
end

return rows
