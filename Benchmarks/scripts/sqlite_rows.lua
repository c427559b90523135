-- The rows of a table in an SQLite database, by keyset, to measure reading.
-- Run: lookahead run sqlite_rows.lua -e file=rows.db -e touch=true -o rows.ndjson

local parameters = lookahead.parameters {
  file = { required = true, help = "the database" },
  touch = { default = false, help = "read every row and write one field of it" },
}

local rows = lookahead.source { name = "items", pageSize = 1000 }
local database

function rows.fetch(context)
  database = database or lookahead.sqlite.open(parameters.file)
  local found = database:query(
    "select id, name, city, score, count from items where id > ? order by id limit ?", { context.key or 0, context.size })
  return { items = found, nextKey = #found == context.size and found[#found].id or nil }
end

if parameters.touch then
  function rows.transform(row)
    row.half = row.score / 2
    return row
  end
end

return rows
