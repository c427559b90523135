-- A table of PostgreSQL, by keyset: every page is found through the index, the last as fast as the first.
-- Run: lookahead run scripts/sources/postgresql.lua --param url=postgresql://me@localhost/shop --allow-net=localhost

local parameters = lookahead.parameters {
  url = { default = "postgresql://postgres@localhost/postgres", help = "its address; ~/.pgpass has the password" },
  table = { default = "items", help = "the table" },
  key = { default = "id", help = "a column with an index and without duplicates" },
  type = { default = "bigint", help = "the type of that column" },
}

local rows = lookahead.source { name = "rows", id = parameters.key, pageSize = 1000 }

local function quoted(name)
  return '"' .. name:gsub('"', '""') .. '"'
end

local database

function rows.fetch(context)
  database = database or lookahead.database.open(parameters.url)
  local key = quoted(parameters.key)
  local from, order = quoted(parameters.table), (" order by %s limit %d"):format(key, context.size)
  local found
  if context.key then
    -- Bytes are base64 in items, and so in keys.
    local value = parameters.type == "bytea" and "decode($1, 'base64')" or "$1::" .. parameters.type
    local after = (" where %s > %s"):format(key, value)
    found = database:query("select * from " .. from .. after .. order, { context.key })
  else
    found = database:query("select * from " .. from .. order)
  end
  return { items = found, nextKey = #found == context.size and found[#found][parameters.key] or nil }
end

return rows
