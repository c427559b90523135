-- As many rows as wanted, made by SQLite and passed through, to measure memory at any length.
-- Run: lookahead run numbers.lua -e count=10000000 -o numbers.ndjson

local parameters = lookahead.parameters {
  file = { required = true, help = "any database" },
  count = { default = 100000, help = "rows" },
  text = { default = false, help = "ids are texts in no order" },
}
-- An odd number times each is a permutation of the numbers of 32 bits.
local id = parameters.text and "printf('id-%08x', id * 2654435761 % 4294967296)" or "id"
local numbers = lookahead.source { name = "items", pageSize = 1000 }
local database

function numbers.fetch(context)
  database = database or lookahead.sqlite.open(parameters.file)
  local after = context.key or 0
  local last = math.min(after + context.size, parameters.count)
  local rows = database:query([[
    with recursive numbers(id) as (select ? union all select id + 1 from numbers where id < ?)
    select ]] .. id .. [[ as id, id as number, 'item number ' || id as name from numbers]], { after + 1, last })
  return { items = rows, nextKey = last < parameters.count and last or nil }
end

return numbers
