-- The rows of a CSV file in pages: read once, then counted by offset, so the total is known from the first page.
-- Run: lookahead run scripts/sources/csv_file.lua --allow-read=scripts/data

local parameters = lookahead.parameters {
  file = { default = "../data/countries.csv", help = "the file; relative paths count from this script" },
  id = { default = "code", help = "a column without duplicates" },
}

local rows = lookahead.source { name = "rows", keys = "offset", id = parameters.id, pageSize = 100, maxInFlight = 1 }

local all

function rows.fetch(context)
  all = all or lookahead.csv.decode(lookahead.fs.read(parameters.file))
  local first, last = context.key + 1, math.min(context.key + context.size, #all)
  return { items = table.move(all, first, last, 1, {}), total = #all }
end

return rows
