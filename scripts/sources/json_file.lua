-- The list in a JSON file of any length, page by page; a run that was stopped goes on at its place in the file.
-- Run: lookahead run scripts/sources/json_file.lua --allow-read=scripts/data

local parameters = lookahead.parameters {
  file = { default = "../data/countries.json", help = "the file; relative paths count from this script" },
  at = { default = "countries", help = "the members down to the list, as data.items; nothing if the file is the list" },
  id = { default = "code", help = "a member without duplicates" },
}

local rows = lookahead.source { name = "rows", id = parameters.id, pageSize = 1000 }

function rows.fetch(context)
  return lookahead.json.page(parameters.file, { at = parameters.at, key = context.key, size = context.size })
end

return rows
