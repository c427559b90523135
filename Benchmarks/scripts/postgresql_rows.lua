-- The rows of a table in PostgreSQL, by keyset or in one go, to measure reading.
-- Run: lookahead run postgresql_rows.lua -e url=postgresql://me@localhost/db --allow-net=localhost -o rows.ndjson

local parameters = lookahead.parameters {
  url = { required = true, help = "the database" },
  size = { default = 10000, help = "rows in a page" },
}

local rows = lookahead.source { name = "items", pageSize = parameters.size }
local database

function rows.fetch(context)
  database = database or lookahead.database.open(parameters.url)
  local found = database:query(
    "select id, name, city, score, count from items where id > $1 order by id limit $2", { context.key or 0, context.size })
  return { items = found, nextKey = #found == context.size and found[#found].id or nil }
end

return rows
