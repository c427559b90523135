-- The items of one JSON file, to measure parsing and writing.
-- Run: lookahead run json_file.lua -e file=page.json -o items.ndjson

local parameters = lookahead.parameters { file = { required = true, help = "the file, {\"items\": […]}" } }
local items = lookahead.source { name = "items" }

function items.fetch()
  local page = lookahead.json.decode(lookahead.fs.read(parameters.file))
  return { items = page.items, isLast = true }
end

return items
